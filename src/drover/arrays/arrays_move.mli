(** Arrays, moved about: what [Arrays] says of these. *)

val fill : 'a array -> int -> int -> 'a -> unit
val blit : 'a array -> int -> 'a array -> int -> int -> unit
val copy : 'a array -> 'a array
val sub : 'a array -> int -> int -> 'a array
val rev : 'a array -> 'a array
val zip : 'a array -> 'b array -> ('a * 'b) array
val unzip : ('a * 'b) array -> 'a array * 'b array
val concat : 'a array list -> 'a array
val of_seq : 'a Seq.t -> 'a array
val to_list : 'a array -> 'a list

val concat_all : 'a array array -> 'a array
(** [concat_all arrays] is [concat (Array.to_list arrays)]. *)
