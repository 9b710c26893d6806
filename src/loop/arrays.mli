(** Arrays in parallel.

    In the bounds, n is the number of elements, and a function given by the user takes one step. [f]
    may be called for several elements at a time and in any order, unless stated otherwise; it is
    called once for each. Results never depend on the number of domains. Small and cheap inputs are
    dealt with by the caller alone. When a function given by the user raises, what has not started
    is skipped, and the first exception is raised, with its backtrace, once all that has started has
    ended. An array must not be written by others meanwhile.

    Outside a task, the caller begins alone, and the pool is asked when that has taken more than two
    microseconds; but at once in calls that are more than a millisecond apart.

    {1 The standard library's}

    So that [a.(i)] means what it always does where this module is called [Array]. *)

external length : 'a array -> int = "%array_length"
(** [length] is [Stdlib.Array.length]. *)

external get : 'a array -> int -> 'a = "%array_safe_get"
(** [get] is [Stdlib.Array.get]. *)

external set : 'a array -> int -> 'a -> unit = "%array_safe_set"
(** [set] is [Stdlib.Array.set]. *)

external unsafe_get : 'a array -> int -> 'a = "%array_unsafe_get"
(** [unsafe_get] is [Stdlib.Array.unsafe_get]. *)

external unsafe_set : 'a array -> int -> 'a -> unit = "%array_unsafe_set"
(** [unsafe_set] is [Stdlib.Array.unsafe_set]. *)

val make : int -> 'a -> 'a array
(** [make] is [Stdlib.Array.make]. *)

(** {1 Making} *)

val init : int -> (int -> 'a) -> 'a array
(** [init n f] is [[|f 0; ...; f (n - 1)|]]. Work O(n), span O(log n). Raises [Invalid_argument] if
    [n < 0]. *)

val of_seq : 'a Seq.t -> 'a array
(** [of_seq s] is the array of the elements of [s], which are forced one after the other. Work and
    span O(n). *)

val to_list : 'a array -> 'a list
(** [to_list a] is the list of the elements of [a]. Work and span O(n). *)

val concat : 'a array list -> 'a array
(** [concat l] is the arrays of [l], one after the other. Work O(n) and span O(log n) for a result
    of n elements, and O(length l) to look at the list. *)

val copy : 'a array -> 'a array
(** [copy a] is a fresh array with the elements of [a]. Work and span O(n): one move of memory. *)

val sub : 'a array -> int -> int -> 'a array
(** [sub a pos len] is the [len] elements of [a] from [pos] on, in a fresh array. Work and span
    O(len): one move of memory. Raises [Invalid_argument] if they are not all in [a]. *)

val blit : 'a array -> int -> 'a array -> int -> int -> unit
(** [blit src src_pos dst dst_pos len] copies [len] elements, also when [src] and [dst] are one
    array and the places overlap. Work O(len); span O(log len), or O(len) if they overlap. Raises
    [Invalid_argument] if they are not all in [src] and [dst]. *)

val fill : 'a array -> int -> int -> 'a -> unit
(** [fill a pos len x] stores [x] in the [len] places of [a] from [pos] on. Work O(len), span O(log
    len). Raises [Invalid_argument] if they are not all in [a]. *)

(** {1 Element by element} *)

val map : ('a -> 'b) -> 'a array -> 'b array
(** [map f a] is [[|f a.(0); ...|]]. Work O(n), span O(log n). *)

val mapi : (int -> 'a -> 'b) -> 'a array -> 'b array
(** [mapi f a] is [[|f 0 a.(0); ...|]]. Work O(n), span O(log n). *)

val map2 : ('a -> 'b -> 'c) -> 'a array -> 'b array -> 'c array
(** [map2 f a b] is [[|f a.(0) b.(0); ...|]]. Work O(n), span O(log n). Raises [Invalid_argument] if
    the lengths differ. *)

val map_inplace : ('a -> 'a) -> 'a array -> unit
(** [map_inplace f a] stores [f a.(i)] in [a.(i)]. Work O(n), span O(log n). When [f] raises, some
    elements have been replaced and others not. *)

val iter : ('a -> unit) -> 'a array -> unit
(** [iter f a] is [f a.(0)], ..., in any order. Work O(n), span O(log n). *)

val iteri : (int -> 'a -> unit) -> 'a array -> unit
(** [iteri f a] is [f 0 a.(0)], ..., in any order. Work O(n), span O(log n). *)

val zip : 'a array -> 'b array -> ('a * 'b) array
(** [zip a b] is [[|(a.(0), b.(0)); ...|]]. Work O(n), span O(log n). Raises [Invalid_argument] if
    the lengths differ. *)

val unzip : ('a * 'b) array -> 'a array * 'b array
(** [unzip a] is the first components and the second ones. Work O(n), span O(log n). *)

val rev : 'a array -> 'a array
(** [rev a] is the elements of [a] from the last to the first. Work O(n), span O(log n). *)

val concat_map : ('a -> 'b array) -> 'a array -> 'b array
(** [concat_map f a] is the arrays [f a.(0)], ..., one after the other. Work O(n) and the length of
    the result, span O(log n) and the length of the longest of them. *)

(** {1 Reductions}

    The array is divided into blocks in a way that depends on n only. The operator must be
    associative and need not be commutative; the result is the same at any number of domains, even
    for an operator that is only nearly associative, as the addition of floats is. *)

val fold : ('a -> 'b) -> ('b -> 'b -> 'b) -> 'b -> 'a array -> 'b
(** [fold f combine init a] is [init] combined with [f a.(0)], [f a.(1)], ... in this order. [init]
    is used once, at the left. Work O(n), span O(log n) and n / 512 steps. *)

val fold_with :
  init:(unit -> 'acc) -> merge:('acc -> 'acc -> 'acc) -> ('acc -> 'a -> 'acc) -> 'a array -> 'acc
(** [fold_with ~init ~merge step a] is [step (step (init ()) a.(0)) a.(1)], ..., with states as
    [Drover.parallel_fold] has them: for tables and buffers that are changed in place. Here workers
    decide what is merged, so the result is that of a loop from the left if [merge s t] is what the
    steps of [t] make of [s]. Work O(n) and a merge for each part that another worker took, span
    O(log n) of both. *)

val count : ('a -> bool) -> 'a array -> int
(** [count f a] is the number of elements that satisfy [f]. Bounds of {!fold}. *)

val min_max : ('a -> 'a -> int) -> 'a array -> ('a * 'a) option
(** [min_max cmp a] is the first least and the first greatest element, if there is any element.
    Bounds of {!fold}. *)

val sum_int : int array -> int
(** [sum_int a] is the sum of [a], modulo 2{^ 63} (on 64-bit machines). Bounds of {!fold}. *)

val sum_float : float array -> float
(** [sum_float a] is the sum of [a], without a box per element. It is rounded in another order than
    from left to right: by blocks and by four sums side by side, as n tells. Bounds of {!fold}. *)

val sum_int_ranges : int -> (int -> int -> int) -> int
(** [sum_int_ranges n f] is the sum of [f lo hi] for inclusive intervals, of 4096 indices and more,
    that make up [0..n-1]; 0 if [n <= 0]. Bounds of {!fold}. *)

val sum_float_ranges : int -> (int -> int -> float) -> float
(** [sum_float_ranges n f] is {!sum_int_ranges} for floats: [f] sums an interval in a loop of its
    own, without a box or a call per element. The intervals depend on [n] only. *)

(** {1 Scans}

    Each place gets what all the ones before it amount to. The operator must be associative, need
    not be commutative, and is called twice for each element: Blelloch,
    {e Prefix sums and their applications} (1990), section 1.2, by blocks that depend on n only.
    Work O(n), span O(log n) and n / 512 steps. The scans of numbers read an element once where they
    know by then what comes before it; their span is O(log n) and n / 128 steps. *)

val scan : ('a -> 'a -> 'a) -> 'a -> 'a array -> 'a array
(** [scan op init a] is inclusive: [[|op init a.(0); op (op init a.(0)) a.(1); ...|]]. *)

val scan_exclusive : ('a -> 'a -> 'a) -> 'a -> 'a array -> 'a array * 'a
(** [scan_exclusive op init a] is [[|init; op init a.(0); ...|]], as long as [a], and what all of
    [a] amounts to. *)

val scan_inplace : ('a -> 'a -> 'a) -> 'a -> 'a array -> unit
(** [scan_inplace op init a] stores {!scan} in [a]. When [op] raises, some elements have been
    replaced and others not. *)

val scan_exclusive_inplace : ('a -> 'a -> 'a) -> 'a -> 'a array -> 'a
(** [scan_exclusive_inplace op init a] stores {!scan_exclusive} in [a], and is what all of [a]
    amounted to. When [op] raises, some elements have been replaced and others not. *)

val scan_ints : int array -> int array
(** [scan_ints a] is [scan ( + ) 0 a], without a call per element. *)

val scan_floats : float array -> float array
(** [scan_floats a] is [scan ( +. ) 0. a], without a call or a box per element. It is rounded by
    blocks and by four elements at a time, as n tells. *)

val scan_ints_inplace : int array -> unit
(** [scan_ints_inplace a] stores {!scan_ints} in [a]. No array is made, which takes one worker as
    long as the scan. *)

val scan_floats_inplace : float array -> unit
(** [scan_floats_inplace a] stores {!scan_floats} in [a]. *)

(** {1 Searching}

    The answer is the one of a loop from the left, also when [f] raises: an exception counts only if
    no element before it gives the answer. Elements behind the answer may be looked at. Work O(n),
    span O(log n) and n / 512 steps. *)

val find_opt : ('a -> bool) -> 'a array -> 'a option
(** [find_opt f a] is the first element that satisfies [f]. *)

val find_index : ('a -> bool) -> 'a array -> int option
(** [find_index f a] is the index of the first element that satisfies [f]. *)

val find_map : ('a -> 'b option) -> 'a array -> 'b option
(** [find_map f a] is the first of [f a.(0)], ... that is not [None]. *)

val exists : ('a -> bool) -> 'a array -> bool
(** [exists f a] is [true] iff an element satisfies [f]. *)

val for_all : ('a -> bool) -> 'a array -> bool
(** [for_all f a] is [true] iff every element satisfies [f]. *)

val mem : 'a -> 'a array -> bool
(** [mem x a] is [true] iff an element is structurally equal to [x] ([compare] gives 0). *)

val is_sorted : ('a -> 'a -> int) -> 'a array -> bool
(** [is_sorted cmp a] is [true] iff no element is greater than its right neighbour. *)

(** {1 Picking}

    The order of the elements is kept. Work O(n), span O(log n) and n / 512 steps. *)

val filter : ('a -> bool) -> 'a array -> 'a array
(** [filter f a] is the elements that satisfy [f]. *)

val partition : ('a -> bool) -> 'a array -> 'a array * 'a array
(** [partition f a] is the elements that satisfy [f], and the ones that do not. *)

val filter_map : ('a -> 'b option) -> 'a array -> 'b array
(** [filter_map f a] is the values [y] where [f] gives [Some y]. *)

val collect : ('a -> ('b -> unit) -> unit) -> 'a array -> 'b array
(** [collect f a] is all that [f a.(0) push], [f a.(1) push], ... push, in this order. [f x] may
    call [push] until it returns, in its own task; that takes a few nanoseconds. So no array or list
    is made for an element. *)

val dedup : ('a -> 'a -> bool) -> 'a array -> 'a array
(** [dedup equal a] is [a] without the elements that are [equal] to their left neighbour in [a]. *)

(** {1 Sorting}

    All sorts are stable, and in place with a scratch array or two. The comparison is as for
    [Stdlib.Array.sort]. If it raises, or the task is cancelled before the end, the array is as it
    was before. If it is inconsistent, the result is some permutation of the elements. Work O(n log
    n), span O(log{^ 3} n): a merge sort with parallel merges, Cormen, Leiserson, Rivest, Stein,
    {e Introduction to Algorithms}, third edition, section 27.3. *)

val sort : ('a -> 'a -> int) -> 'a array -> unit
(** [sort] is {!stable_sort}. *)

val stable_sort : ('a -> 'a -> int) -> 'a array -> unit
(** [stable_sort cmp a] sorts [a] in increasing order. *)

val sort_ints : int array -> unit
(** [sort_ints a] is [sort Int.compare a], several times faster. If the task is cancelled before the
    end, some elements may be in [a] more than once, and others not at all. *)

val sort_floats : float array -> unit
(** [sort_floats a] is [sort Float.compare a], several times faster: nan first, -0. and 0. equal. If
    the task is cancelled before the end, [a] is left as by {!sort_ints}. *)

val sort_by_key : ('a -> int) -> 'a array -> unit
(** [sort_by_key key a] is [stable_sort (fun x y -> Int.compare (key x) (key y)) a] without
    comparisons: a radix sort by bytes, the lowest first. Work O(n k), span O(k (log n + n / 64))
    steps, where k is the number of bytes in which the keys differ from the least. If [key] raises,
    or the task is cancelled before the end, [a] is as it was before. *)

val merge : ('a -> 'a -> int) -> 'a array -> 'a array -> 'a array
(** [merge cmp a b] is the elements of both, which must be sorted, in increasing order; equal ones
    of [a] come before those of [b]. If they are not sorted, or [cmp] is inconsistent, the result
    holds all elements in some order. Work O(n), span O(log{^ 2} n). *)

val kth_smallest : ('a -> 'a -> int) -> int -> 'a array -> 'a
(** [kth_smallest cmp k a] is the element that {!sort} would put at index [k]: of equal elements,
    any. [a] is left as it is. Expected work O(n), span O(log{^ 2} n) and n / 512 steps: Hoare,
    {e Find} (1961), with pivots from samples. An inconsistent [cmp] gives some element. Raises
    [Invalid_argument] if [k] is no index of [a]. *)

val shuffle : seed:int -> 'a array -> 'a array
(** [shuffle ~seed a] is a random permutation of [a], which depends on [seed] and n only. Each
    element is sent to one of several parts, and each part is shuffled by itself: Sanders,
    {e Random permutations on distributed, external and hierarchical memory} (1998). Work O(n), span
    O(log n) and n / 64 steps. *)

(** {1 Groups} *)

val histogram : bins:int -> ('a -> int) -> 'a array -> int array
(** [histogram ~bins f a] counts, for each [i] in [0..bins-1], the elements with [f x = i]. Work O(n
    + bins), span O(log n + bins) and n / 64 steps. Raises [Invalid_argument] if [bins < 0] or if
      [f] is outside [0..bins-1]. *)

(** The following bring together elements whose keys are equal, by hashing: [equal] is
    [compare x y = 0] and [hash] is [Hashtbl.hash] unless they are given, and keys that are equal
    must have equal hashes. Results are in the order of the first element of each key, and the same
    on any number of domains. Each key is hashed once. Expected work O(n). If [hash] and [equal] do
    not fit together, no element is lost, and a key may appear more than once. *)

val group_by :
  ?hash:('k -> int) -> ?equal:('k -> 'k -> bool) -> ('a -> 'k) -> 'a array -> ('k * 'a array) array
(** [group_by key a] is each key with its elements, in the order of [a]. Of equal keys the first is
    given. Span as {!reduce_by}. *)

val reduce_by :
  ?hash:('k -> int) ->
  ?equal:('k -> 'k -> bool) ->
  ('a -> 'k) ->
  ('a -> 'v) ->
  ('v -> 'v -> 'v) ->
  'a array ->
  ('k * 'v) array
(** [reduce_by key value combine a] is each key with the values of its elements combined, from left
    to right: [combine] must be associative, or nearly so, as the addition of floats is; what is
    combined with what depends on [a] only. [key] is called once more for some of many elements, to
    see how many keys there are. Span O(log n + n / 8) steps, or 2{^ 17} for long arrays; with many
    keys O(log n + n / 4), or 2{^ 20}. *)

val count_by :
  ?hash:('k -> int) -> ?equal:('k -> 'k -> bool) -> ('a -> 'k) -> 'a array -> ('k * int) array
(** [count_by key a] is each key with the number of its elements. Span as {!reduce_by}. *)

val distinct : ?hash:('a -> int) -> ?equal:('a -> 'a -> bool) -> 'a array -> 'a array
(** [distinct a] is [a] without the elements that are equal to an earlier one. Span as {!reduce_by}.
*)

val join_by :
  ?hash:('k -> int) ->
  ?equal:('k -> 'k -> bool) ->
  ('a -> 'k) ->
  ('b -> 'k) ->
  'a array ->
  'b array ->
  ('a * 'b) array
(** [join_by key_a key_b a b] is all pairs of an element of [a] and one of [b] whose keys are equal:
    in the order of [a], and for each of these in the order of [b]. Work and span as {!group_by},
    and they grow with the number of keys of [b], and of pairs, too. *)
