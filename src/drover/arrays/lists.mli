(** Lists in parallel.

    A list is read and written from one end to the other, so the span of each function is O(n).
    These functions gain when the function that you pass takes more than a few nanoseconds. How
    often functions are called, exceptions, associativity and independence of the number of domains
    are as in [Drover.Array]. *)

val init : int -> (int -> 'a) -> 'a list
(** [init n f] is [[f 0; ...; f (n - 1)]]. Work O(n). Raises [Invalid_argument] if [n < 0].

    {[
    Drover.List.init 4 (fun i -> i * i) = [ 0; 1; 4; 9 ]
    ]} *)

val map : ('a -> 'b) -> 'a list -> 'b list
(** [map f l] is [[f x; ...]] for the elements of [l]. Work O(n).

    {[
    Drover.List.map String.length [ "one"; "three" ] = [ 3; 5 ]
    ]} *)

val mapi : (int -> 'a -> 'b) -> 'a list -> 'b list
(** [mapi f l] is [[f 0 x; f 1 y; ...]] for the elements of [l]. Work O(n).

    {[
    Drover.List.mapi (fun i x -> i * x) [ 5; 6; 7 ] = [ 0; 6; 14 ]
    ]} *)

val iter : ('a -> unit) -> 'a list -> unit
(** [iter f l] calls [f] on each element of [l], in any order. Work O(n).

    {[
    let sum = Atomic.make 0 in
    Drover.List.iter (fun x -> ignore (Atomic.fetch_and_add sum x)) [ 1; 2; 3 ];
    Atomic.get sum = 6
    ]} *)

val iteri : (int -> 'a -> unit) -> 'a list -> unit
(** [iteri f l] is [f 0 x], [f 1 y], ... for the elements of [l], in any order. Work O(n).

    {[
    let a = Array.make 3 0 in
    Drover.List.iteri (fun i x -> a.(2 - i) <- x) [ 1; 2; 3 ];
    a = [| 3; 2; 1 |]
    ]} *)

val filter : ('a -> bool) -> 'a list -> 'a list
(** [filter f l] is the list of the elements that satisfy [f], in order. Work O(n).

    {[
    Drover.List.filter (fun x -> x > 1) [ 1; 2; 3 ] = [ 2; 3 ]
    ]} *)

val find_all : ('a -> bool) -> 'a list -> 'a list
(** [find_all] is {!filter}.

    {[
    Drover.List.find_all (fun x -> x > 1) [ 1; 2; 3 ] = [ 2; 3 ]
    ]} *)

val partition : ('a -> bool) -> 'a list -> 'a list * 'a list
(** [partition f l] is the list of the elements that satisfy [f], and that of the others, in order.
    Work O(n).

    {[
    Drover.List.partition (fun x -> x > 1) [ 1; 2; 3 ] = ([ 2; 3 ], [ 1 ])
    ]} *)

val filter_map : ('a -> 'b option) -> 'a list -> 'b list
(** [filter_map f l] is the list of the values [y] for which [f] returns [Some y], in order. Work
    O(n).

    {[
    Drover.List.filter_map int_of_string_opt [ "1"; "two"; "3" ] = [ 1; 3 ]
    ]} *)

val concat_map : ('a -> 'b list) -> 'a list -> 'b list
(** [concat_map f l] is the concatenation of the lists [f x] for the elements [x] of [l]. The caller
    concatenates them. Work O(n) plus the length of the result.

    {[
    Drover.List.concat_map (fun x -> [ x; -x ]) [ 1; 2 ] = [ 1; -1; 2; -2 ]
    ]} *)

val reduce : init:'b -> combine:('b -> 'b -> 'b) -> ('a -> 'b) -> 'a list -> 'b
(** [reduce ~init ~combine f l] is [init] combined with [f x] for each element [x], in order.
    [combine] must be associative; [init] is used once, at the left. Work O(n).

    {[
    Drover.List.reduce ~init:0 ~combine:( + ) String.length [ "one"; "three" ] = 8
    ]} *)

val fold :
  make:(unit -> 'acc) -> merge:('acc -> 'acc -> 'acc) -> ('acc -> 'a -> 'acc) -> 'a list -> 'acc
(** [fold ~make ~merge step l] applies [step] to the elements of [l] in order, with states as in
    [Drover.parallel_fold]. Work O(n) plus the merges.

    {[
    Drover.List.fold
      ~make:(fun () -> 0)
      ~merge:( + )
      (fun n s -> n + String.length s)
      [ "one"; "three" ]
    = 8
    ]} *)

(** {1 Searching}

    The answer is that of a serial loop, also when [f] raises: an exception counts only if no
    earlier element gives the answer. [f] may be called for elements after the answer. Work O(n). *)

val find_opt : ('a -> bool) -> 'a list -> 'a option
(** [find_opt f l] is the first element that satisfies [f].

    {[
    Drover.List.find_opt (fun x -> x > 1) [ 1; 2; 3 ] = Some 2
    ]} *)

val find : ('a -> bool) -> 'a list -> 'a
(** [find f l] is the first element that satisfies [f]. Raises [Not_found] if there is none.

    {[
    Drover.List.find (fun x -> x > 1) [ 1; 2; 3 ] = 2
    ]} *)

val find_map : ('a -> 'b option) -> 'a list -> 'b option
(** [find_map f l] is the first of [f x], ... that is not [None], for the elements [x] of [l].

    {[
    Drover.List.find_map int_of_string_opt [ "one"; "2"; "3" ] = Some 2
    ]} *)

val exists : ('a -> bool) -> 'a list -> bool
(** [exists f l] is [true] iff an element satisfies [f].

    {[
    Drover.List.exists (fun x -> x > 2) [ 1; 2; 3 ] = true
    ]} *)

val for_all : ('a -> bool) -> 'a list -> bool
(** [for_all f l] is [true] iff every element satisfies [f].

    {[
    Drover.List.for_all (fun x -> x > 2) [ 1; 2; 3 ] = false
    ]} *)

val mem : 'a -> 'a list -> bool
(** [mem x l] is [true] iff an element is structurally equal to [x] ([compare] gives 0).

    {[
    Drover.List.mem 2 [ 1; 2; 3 ] = true
    ]} *)

(** {1 Sorting} *)

val sort : ('a -> 'a -> int) -> 'a list -> 'a list
(** [sort] is {!stable_sort}.

    {[
    Drover.List.sort Int.compare [ 3; 1; 2 ] = [ 1; 2; 3 ]
    ]} *)

val stable_sort : ('a -> 'a -> int) -> 'a list -> 'a list
(** [stable_sort cmp l] is the list of the elements of [l] in increasing order; equal elements keep
    their order. If [cmp] is inconsistent, the result is some permutation. Work O(n log n).

    {[
    let by_letter x y = Char.compare x.[0] y.[0] in
    Drover.List.stable_sort by_letter [ "b1"; "a"; "b0" ] = [ "a"; "b1"; "b0" ]
    ]} *)

val fast_sort : ('a -> 'a -> int) -> 'a list -> 'a list
(** [fast_sort] is {!stable_sort}.

    {[
    Drover.List.fast_sort Int.compare [ 3; 1; 2 ] = [ 1; 2; 3 ]
    ]} *)

(** {1 The serial rest}

    These are the functions of [Stdlib.List] that have no parallel form here, so that [open Drover]
    takes none away. All others of [Stdlib.List] are above, parallel and of the same type. *)

include Serial.List
(** @inline *)
