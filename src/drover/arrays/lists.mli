(** Lists in parallel.

    A list is read and written from one end to the other, so the span of each function is O(n).
    These functions gain when the function that you pass takes more than a few nanoseconds. How
    often functions are called, exceptions, associativity and independence of the number of domains
    are as in [Drover.Array]. *)

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

val filter : ('a -> bool) -> 'a list -> 'a list
(** [filter f l] is the list of the elements that satisfy [f], in order. Work O(n).

    {[
    Drover.List.filter (fun x -> x > 1) [ 1; 2; 3 ] = [ 2; 3 ]
    ]} *)

val filter_map : ('a -> 'b option) -> 'a list -> 'b list
(** [filter_map f l] is the list of the values [y] for which [f] returns [Some y], in order. Work
    O(n).

    {[
    Drover.List.filter_map int_of_string_opt [ "1"; "two"; "3" ] = [ 1; 3 ]
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
