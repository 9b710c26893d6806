(** What [open Drover] would hide of the standard library: the functions of its [Array], [List] and
    [Seq] that have no parallel form in Drover's. Each is the standard library's. *)

module type Array = sig
  type 'a t = 'a array

  external length : 'a array -> int = "%array_length"
  external get : 'a array -> int -> 'a = "%array_safe_get"
  external set : 'a array -> int -> 'a -> unit = "%array_safe_set"
  val make : int -> 'a -> 'a array
  val create_float : int -> float array
  val make_matrix : int -> int -> 'a -> 'a array array
  val init_matrix : int -> int -> (int -> int -> 'a) -> 'a array array
  val append : 'a array -> 'a array -> 'a array
  val of_list : 'a list -> 'a array
  val equal : ('a -> 'a -> bool) -> 'a array -> 'a array -> bool
  val compare : ('a -> 'a -> int) -> 'a array -> 'a array -> int
  val mapi_inplace : (int -> 'a -> 'a) -> 'a array -> unit
  val fold_left : ('acc -> 'a -> 'acc) -> 'acc -> 'a array -> 'acc
  val fold_left_map : ('acc -> 'a -> 'acc * 'b) -> 'acc -> 'a array -> 'acc * 'b array
  val fold_right : ('a -> 'acc -> 'acc) -> 'a array -> 'acc -> 'acc
  val iter2 : ('a -> 'b -> unit) -> 'a array -> 'b array -> unit
  val for_all2 : ('a -> 'b -> bool) -> 'a array -> 'b array -> bool
  val exists2 : ('a -> 'b -> bool) -> 'a array -> 'b array -> bool
  val memq : 'a -> 'a array -> bool
  val find_mapi : (int -> 'a -> 'b option) -> 'a array -> 'b option
  val split : ('a * 'b) array -> 'a array * 'b array
  val combine : 'a array -> 'b array -> ('a * 'b) array
  val to_seq : 'a array -> 'a Seq.t
  val to_seqi : 'a array -> (int * 'a) Seq.t
  external unsafe_get : 'a array -> int -> 'a = "%array_unsafe_get"
  external unsafe_set : 'a array -> int -> 'a -> unit = "%array_unsafe_set"
end

module type List = sig
  type 'a t = 'a list = [] | ( :: ) of 'a * 'a list

  val length : 'a list -> int
  val compare_lengths : 'a list -> 'b list -> int
  val compare_length_with : 'a list -> int -> int
  val is_empty : 'a list -> bool
  val cons : 'a -> 'a list -> 'a list
  val singleton : 'a -> 'a list
  val hd : 'a list -> 'a
  val tl : 'a list -> 'a list
  val nth : 'a list -> int -> 'a
  val nth_opt : 'a list -> int -> 'a option
  val rev : 'a list -> 'a list
  val append : 'a list -> 'a list -> 'a list
  val rev_append : 'a list -> 'a list -> 'a list
  val concat : 'a list list -> 'a list
  val flatten : 'a list list -> 'a list
  val equal : ('a -> 'a -> bool) -> 'a list -> 'a list -> bool
  val compare : ('a -> 'a -> int) -> 'a list -> 'a list -> int
  val rev_map : ('a -> 'b) -> 'a list -> 'b list
  val fold_left_map : ('acc -> 'a -> 'acc * 'b) -> 'acc -> 'a list -> 'acc * 'b list
  val fold_left : ('acc -> 'a -> 'acc) -> 'acc -> 'a list -> 'acc
  val fold_right : ('a -> 'acc -> 'acc) -> 'a list -> 'acc -> 'acc
  val iter2 : ('a -> 'b -> unit) -> 'a list -> 'b list -> unit
  val map2 : ('a -> 'b -> 'c) -> 'a list -> 'b list -> 'c list
  val rev_map2 : ('a -> 'b -> 'c) -> 'a list -> 'b list -> 'c list
  val fold_left2 : ('acc -> 'a -> 'b -> 'acc) -> 'acc -> 'a list -> 'b list -> 'acc
  val fold_right2 : ('a -> 'b -> 'acc -> 'acc) -> 'a list -> 'b list -> 'acc -> 'acc
  val for_all2 : ('a -> 'b -> bool) -> 'a list -> 'b list -> bool
  val exists2 : ('a -> 'b -> bool) -> 'a list -> 'b list -> bool
  val memq : 'a -> 'a list -> bool
  val find_index : ('a -> bool) -> 'a list -> int option
  val find_mapi : (int -> 'a -> 'b option) -> 'a list -> 'b option
  val filteri : (int -> 'a -> bool) -> 'a list -> 'a list
  val take : int -> 'a list -> 'a list
  val drop : int -> 'a list -> 'a list
  val take_while : ('a -> bool) -> 'a list -> 'a list
  val drop_while : ('a -> bool) -> 'a list -> 'a list
  val partition_map : ('a -> ('b, 'c) Either.t) -> 'a list -> 'b list * 'c list
  val assoc : 'a -> ('a * 'b) list -> 'b
  val assoc_opt : 'a -> ('a * 'b) list -> 'b option
  val assq : 'a -> ('a * 'b) list -> 'b
  val assq_opt : 'a -> ('a * 'b) list -> 'b option
  val mem_assoc : 'a -> ('a * 'b) list -> bool
  val mem_assq : 'a -> ('a * 'b) list -> bool
  val remove_assoc : 'a -> ('a * 'b) list -> ('a * 'b) list
  val remove_assq : 'a -> ('a * 'b) list -> ('a * 'b) list
  val split : ('a * 'b) list -> 'a list * 'b list
  val combine : 'a list -> 'b list -> ('a * 'b) list
  val sort_uniq : ('a -> 'a -> int) -> 'a list -> 'a list
  val merge : ('a -> 'a -> int) -> 'a list -> 'a list -> 'a list
  val to_seq : 'a list -> 'a Seq.t
  val of_seq : 'a Seq.t -> 'a list
end

module type Seq = sig
  type 'a t = 'a Seq.t
  type 'a node = 'a Seq.node = Nil | Cons of 'a * 'a t

  exception Forced_twice

  val is_empty : 'a t -> bool
  val uncons : 'a t -> ('a * 'a t) option
  val length : 'a t -> int
  val fold_left : ('acc -> 'a -> 'acc) -> 'acc -> 'a t -> 'acc
  val iteri : (int -> 'a -> unit) -> 'a t -> unit
  val fold_lefti : ('acc -> int -> 'a -> 'acc) -> 'acc -> 'a t -> 'acc
  val for_all : ('a -> bool) -> 'a t -> bool
  val exists : ('a -> bool) -> 'a t -> bool
  val find : ('a -> bool) -> 'a t -> 'a option
  val find_index : ('a -> bool) -> 'a t -> int option
  val find_map : ('a -> 'b option) -> 'a t -> 'b option
  val find_mapi : (int -> 'a -> 'b option) -> 'a t -> 'b option
  val iter2 : ('a -> 'b -> unit) -> 'a t -> 'b t -> unit
  val fold_left2 : ('acc -> 'a -> 'b -> 'acc) -> 'acc -> 'a t -> 'b t -> 'acc
  val for_all2 : ('a -> 'b -> bool) -> 'a t -> 'b t -> bool
  val exists2 : ('a -> 'b -> bool) -> 'a t -> 'b t -> bool
  val equal : ('a -> 'b -> bool) -> 'a t -> 'b t -> bool
  val compare : ('a -> 'b -> int) -> 'a t -> 'b t -> int
  val empty : 'a t
  val return : 'a -> 'a t
  val cons : 'a -> 'a t -> 'a t
  val singleton : 'a -> 'a t
  val init : int -> (int -> 'a) -> 'a t
  val unfold : ('b -> ('a * 'b) option) -> 'b -> 'a t
  val repeat : 'a -> 'a t
  val forever : (unit -> 'a) -> 'a t
  val cycle : 'a t -> 'a t
  val iterate : ('a -> 'a) -> 'a -> 'a t
  val mapi : (int -> 'a -> 'b) -> 'a t -> 'b t
  val filter : ('a -> bool) -> 'a t -> 'a t
  val filteri : (int -> 'a -> bool) -> 'a t -> 'a t
  val filter_map : ('a -> 'b option) -> 'a t -> 'b t
  val scan : ('b -> 'a -> 'b) -> 'b -> 'a t -> 'b t
  val take : int -> 'a t -> 'a t
  val drop : int -> 'a t -> 'a t
  val take_while : ('a -> bool) -> 'a t -> 'a t
  val drop_while : ('a -> bool) -> 'a t -> 'a t
  val group : ('a -> 'a -> bool) -> 'a t -> 'a t t
  val memoize : 'a t -> 'a t
  val once : 'a t -> 'a t
  val transpose : 'a t t -> 'a t t
  val append : 'a t -> 'a t -> 'a t
  val concat : 'a t t -> 'a t
  val flat_map : ('a -> 'b t) -> 'a t -> 'b t
  val concat_map : ('a -> 'b t) -> 'a t -> 'b t
  val zip : 'a t -> 'b t -> ('a * 'b) t
  val map2 : ('a -> 'b -> 'c) -> 'a t -> 'b t -> 'c t
  val interleave : 'a t -> 'a t -> 'a t
  val sorted_merge : ('a -> 'a -> int) -> 'a t -> 'a t -> 'a t
  val product : 'a t -> 'b t -> ('a * 'b) t
  val map_product : ('a -> 'b -> 'c) -> 'a t -> 'b t -> 'c t
  val unzip : ('a * 'b) t -> 'a t * 'b t
  val split : ('a * 'b) t -> 'a t * 'b t
  val partition_map : ('a -> ('b, 'c) Either.t) -> 'a t -> 'b t * 'c t
  val partition : ('a -> bool) -> 'a t -> 'a t * 'a t
  val of_dispenser : (unit -> 'a option) -> 'a t
  val to_dispenser : 'a t -> unit -> 'a option
  val ints : int -> int t
end
