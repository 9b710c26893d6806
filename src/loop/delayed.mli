(** Pipelines without arrays between their steps.

    A delayed sequence is computed when it is consumed, by {!reduce}, {!to_array}, {!iter} or
    {!length}, and again each time. The functions given on the way are called then, once for each
    element unless stated otherwise, several at a time and in any order. Exceptions, associativity
    and independence of the number of domains are as for [Drover.Array]. In the bounds, n is the
    number of elements of the source, and the functions on the way take one step each.

    Westrick, Rainey, Anderson, Blelloch, {e Parallel block-delayed sequences} (PPoPP 2022). *)

type 'a t
(** The type for delayed sequences. *)

(** {1 Sources} *)

val tabulate : int -> (int -> 'a) -> 'a t
(** [tabulate n f] is [f 0], ..., [f (n - 1)]. Work and span O(1). Raises [Invalid_argument] if
    [n < 0]. *)

val of_array : 'a array -> 'a t
(** [of_array a] is the elements of [a] at the time of consumption. Work and span O(1). *)

(** {1 Steps} *)

val map : ('a -> 'b) -> 'a t -> 'b t
(** [map f s] is [f] of each element. Work and span O(1). *)

val mapi : (int -> 'a -> 'b) -> 'a t -> 'b t
(** [mapi f s] is [f] of each index and element. Work and span O(1), but for what comes out of
    {!filter}, {!filter_map}, {!flatten} or {!scan}, which is made an array first. *)

val zip : 'a t -> 'b t -> ('a * 'b) t
(** [zip s t] is the pairs of elements at the same index. Bounds of {!mapi}. Raises
    [Invalid_argument] if the lengths differ. *)

val filter : ('a -> bool) -> 'a t -> 'a t
(** [filter f s] is the elements that satisfy [f], in order. Work and span O(1). *)

val filter_map : ('a -> 'b option) -> 'a t -> 'b t
(** [filter_map f s] is the values [y] where [f] gives [Some y], in order. Work and span O(1). *)

val flatten : 'a t t -> 'a t
(** [flatten s] is the elements of the first sequence of [s], then of the second, ... The outer
    sequence is computed at once, and so are inner ones that come out of {!filter}, {!filter_map},
    {!flatten} or {!scan}; the elements of the others are not. *)

val scan : ('a -> 'a -> 'a) -> 'a -> 'a t -> 'a t
(** [scan op init s] is [op init x], [op (op init x) y], ... for the elements [x], [y], ... of [s].
    [op] must be associative. [s] is computed at once, to know where each block starts, and again on
    consumption. Work O(n), span O(log n) and n / 512 steps. *)

(** {1 Consumption}

    Work O(n), span O(log n) and n / 512 steps. *)

val reduce : ('a -> 'a -> 'a) -> 'a -> 'a t -> 'a
(** [reduce op init s] is [init] combined with all elements in order. [op] must be associative;
    [init] is used once, at the left. *)

val to_array : 'a t -> 'a array
(** [to_array s] is the array of the elements. *)

val iter : ('a -> unit) -> 'a t -> unit
(** [iter f s] is [f] of each element, in any order. *)

val length : 'a t -> int
(** [length s] is the number of elements: O(1) unless [s] comes out of {!filter}, {!filter_map},
    {!flatten} or {!scan}. *)
