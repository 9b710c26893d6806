(** Pipelines of array operations without arrays in between.

    A delayed sequence is computed when it is consumed, by {!reduce}, {!to_array}, {!iter} or
    {!length}, and again each time. The functions of the pipeline are called then, once for each
    element unless stated otherwise, for several elements at a time and in any order. Exceptions,
    associativity and independence of the number of domains are as in [Drover.Array]. In the bounds,
    n is the number of elements of the source, and each function that you pass takes one step.

    Westrick, Rainey, Anderson, Blelloch, {e Parallel block-delayed sequences} (PPoPP 2022). *)

type 'a t
(** The type for delayed sequences. *)

(** {1 Sources} *)

val tabulate : int -> (int -> 'a) -> 'a t
(** [tabulate n f] is the sequence [f 0], ..., [f (n - 1)]. Work and span O(1). Raises
    [Invalid_argument] if [n < 0]. *)

val of_array : 'a array -> 'a t
(** [of_array a] is the sequence of the elements that [a] has when it is consumed. Work and span
    O(1). *)

val lines : string -> string t
(** [lines s] is the sequence of the lines of [s], as in [Drover.Text.lines]. Work and span O(1). *)

val words : string -> string t
(** [words s] is the sequence of the words of [s], as in [Drover.Text.words]. Work and span O(1). *)

(** {1 Steps} *)

val map : ('a -> 'b) -> 'a t -> 'b t
(** [map f s] is the sequence of [f x] for each element [x]. Work and span O(1). *)

val mapi : (int -> 'a -> 'b) -> 'a t -> 'b t
(** [mapi f s] is the sequence of [f i x] for each index [i] and element [x]. Work and span O(1),
    except for a result of {!filter}, {!filter_map}, {!flatten} or {!scan}, which is first turned
    into an array. *)

val zip : 'a t -> 'b t -> ('a * 'b) t
(** [zip s t] is the sequence of the pairs of elements at the same index. Bounds of {!mapi}. Raises
    [Invalid_argument] if the lengths differ. *)

val filter : ('a -> bool) -> 'a t -> 'a t
(** [filter f s] is the sequence of the elements that satisfy [f], in order. Work and span O(1). *)

val filter_map : ('a -> 'b option) -> 'a t -> 'b t
(** [filter_map f s] is the sequence of the values [y] for which [f] returns [Some y], in order.
    Work and span O(1). *)

val flatten : 'a t t -> 'a t
(** [flatten s] is the concatenation of the sequences of [s]. The outer sequence is computed at
    once, and so are inner sequences that are results of {!filter}, {!filter_map}, {!flatten} or
    {!scan}; the elements of the others are not. *)

val scan : init:'a -> combine:('a -> 'a -> 'a) -> 'a t -> 'a t
(** [scan ~init ~combine s] is [combine init x], [combine (combine init x) y], ... for the elements
    [x], [y], ... of [s]. [combine] must be associative. [s] is computed at once, to find the value
    before each block, and again on consumption; with a source of up to 128 elements, only at once.
    Work O(n), span O(log n) plus n / 512 steps. *)

(** {1 Consumption}

    These functions suspend or block until their work has ended. Work O(n), span O(log n) plus n /
    512 steps. *)

val reduce : init:'a -> combine:('a -> 'a -> 'a) -> 'a t -> 'a
(** [reduce ~init ~combine s] is [init] combined with all elements in order. [combine] must be
    associative; [init] is used once, at the left. *)

val to_array : 'a t -> 'a array
(** [to_array s] is the array of the elements. *)

val iter : ('a -> unit) -> 'a t -> unit
(** [iter f s] calls [f] on each element, in any order. *)

val length : 'a t -> int
(** [length s] is the number of elements. Work and span O(1) unless [s] is a result of {!filter},
    {!filter_map}, {!flatten} or {!scan}. *)

val reduce_by :
  ?hash:('k -> int) ->
  ?equal:('k -> 'k -> bool) ->
  combine:('v -> 'v -> 'v) ->
  ('a -> 'k) ->
  ('a -> 'v) ->
  'a t ->
  ('k * 'v) array
(** [reduce_by ~combine key value s] is the array of each key with the values of its elements,
    combined from left to right, in the order in which the keys come first; as of [Drover.Array].
    Span as there: O(log n + n / 8) steps, or 2{^ 17} for many elements; with many keys n / 4, or
    2{^ 20}. *)

val count_by :
  ?hash:('k -> int) -> ?equal:('k -> 'k -> bool) -> ('a -> 'k) -> 'a t -> ('k * int) array
(** [count_by key s] is the array of each key with the number of its elements. *)
