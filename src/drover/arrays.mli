(** Arrays in parallel: maps, reductions, scans, searches, sorts.

    These functions may be called from anywhere, and suspend or block until all their work has
    ended. [f] is called once for each element, for several elements at a time and in any order,
    unless stated otherwise. Results never depend on the number of domains. When a function that you
    pass raises, calls that have not started are skipped, and the first exception is raised with its
    backtrace once all others have ended. Nobody else may write to the array meanwhile.

    In the bounds, n is the number of elements, and a call of a function that you pass is one step.
    The caller begins with the first elements, in a plain loop, and processes small and cheap inputs
    alone: a call on ten or a hundred elements takes some hundred nanoseconds more than that loop.
    Inside a task, others may take what the caller has not begun at any time, also while an element
    waits; but of more than eight elements none may wait for another, as the iterations of
    [Drover.parallel_for] may. Outside a task, the pool joins in when the caller has worked for more
    than two microseconds; but at once in calls that are more than a millisecond apart. *)

(** {1 Construction} *)

val init : int -> (int -> 'a) -> 'a array
(** [init n f] is [[|f 0; ...; f (n - 1)|]]. Work O(n), span O(log n). Raises [Invalid_argument] if
    [n < 0], or if no array has that length.

    {[
    Drover.Array.init 4 (fun i -> i * i) = [| 0; 1; 4; 9 |]
    ]} *)

val of_seq : 'a Seq.t -> 'a array
(** [of_seq s] is the array of the elements of [s], which the caller forces one after the other.
    Work and span O(n).

    {[
    Drover.Array.of_seq (List.to_seq [ 1; 2 ]) = [| 1; 2 |]
    ]} *)

val to_list : 'a array -> 'a list
(** [to_list a] is the list of the elements of [a]. Work and span O(n).

    {[
    Drover.Array.to_list [| 1; 2 |] = [ 1; 2 ]
    ]} *)

val concat : 'a array list -> 'a array
(** [concat l] is the concatenation of the arrays of [l]. Work O(n) and span O(log n) for a result
    of n elements, plus O(length l) for the list.

    {[
    Drover.Array.concat [ [| 1 |]; [| 2; 3 |] ] = [| 1; 2; 3 |]
    ]} *)

val copy : 'a array -> 'a array
(** [copy a] is a fresh array with the elements of [a]. Work and span O(n): one copy of memory.

    {[
    Drover.Array.copy [| 1; 2 |] = [| 1; 2 |]
    ]} *)

val sub : 'a array -> int -> int -> 'a array
(** [sub a pos len] is a fresh array of the [len] elements of [a] from index [pos] on. Work and span
    O(len): one copy of memory. Raises [Invalid_argument] if they are not all in [a].

    {[
    Drover.Array.sub [| 1; 2; 3; 4 |] 1 2 = [| 2; 3 |]
    ]} *)

val blit : 'a array -> int -> 'a array -> int -> int -> unit
(** [blit src src_pos dst dst_pos len] copies [len] elements, also when [src] and [dst] are one
    array and the ranges overlap. Work O(len); span O(log len), or O(len) if they overlap. Raises
    [Invalid_argument] if they are not all in [src] and [dst].

    {[
    let a = [| 1; 2; 3; 4 |] in
    Drover.Array.blit a 0 a 1 3;
    a = [| 1; 1; 2; 3 |]
    ]} *)

val fill : 'a array -> int -> int -> 'a -> unit
(** [fill a pos len x] stores [x] in [a] at the [len] indices from [pos] on. Work O(len), span O(log
    len). Raises [Invalid_argument] if they are not all in [a].

    {[
    let a = [| 1; 2; 3; 4 |] in
    Drover.Array.fill a 1 2 0;
    a = [| 1; 0; 0; 4 |]
    ]} *)

(** {1 Element by element} *)

val map : ('a -> 'b) -> 'a array -> 'b array
(** [map f a] is [[|f a.(0); ...|]]. Work O(n), span O(log n).

    {[
    Drover.Array.map String.length [| "one"; "three" |] = [| 3; 5 |]
    ]} *)

val mapi : (int -> 'a -> 'b) -> 'a array -> 'b array
(** [mapi f a] is [[|f 0 a.(0); ...|]]. Work O(n), span O(log n).

    {[
    Drover.Array.mapi (fun i x -> i * x) [| 5; 6; 7 |] = [| 0; 6; 14 |]
    ]} *)

val map2 : ('a -> 'b -> 'c) -> 'a array -> 'b array -> 'c array
(** [map2 f a b] is [[|f a.(0) b.(0); ...|]]. Work O(n), span O(log n). Raises [Invalid_argument] if
    the lengths differ.

    {[
    Drover.Array.map2 ( + ) [| 1; 2 |] [| 10; 20 |] = [| 11; 22 |]
    ]} *)

val map_inplace : ('a -> 'a) -> 'a array -> unit
(** [map_inplace f a] stores [f a.(i)] in [a.(i)]. Work O(n), span O(log n). When [f] raises, some
    elements have been replaced and others have not.

    {[
    let a = [| 1; 2 |] in
    Drover.Array.map_inplace succ a;
    a = [| 2; 3 |]
    ]} *)

val iter : ('a -> unit) -> 'a array -> unit
(** [iter f a] is [f a.(0)], ..., in any order. Work O(n), span O(log n).

    {[
    let sum = Atomic.make 0 in
    Drover.Array.iter (fun x -> ignore (Atomic.fetch_and_add sum x)) [| 1; 2; 3 |];
    Atomic.get sum = 6
    ]} *)

val iteri : (int -> 'a -> unit) -> 'a array -> unit
(** [iteri f a] is [f 0 a.(0)], ..., in any order. Work O(n), span O(log n).

    {[
    let b = Array.make 3 0 in
    Drover.Array.iteri (fun i x -> b.(2 - i) <- x) [| 1; 2; 3 |];
    b = [| 3; 2; 1 |]
    ]} *)

val zip : 'a array -> 'b array -> ('a * 'b) array
(** [zip a b] is [[|(a.(0), b.(0)); ...|]]. Work O(n), span O(log n). Raises [Invalid_argument] if
    the lengths differ.

    {[
    Drover.Array.zip [| 1; 2 |] [| 'a'; 'b' |] = [| (1, 'a'); (2, 'b') |]
    ]} *)

val unzip : ('a * 'b) array -> 'a array * 'b array
(** [unzip a] is the array of the first components and that of the second. Work O(n), span O(log n).

    {[
    Drover.Array.unzip [| (1, 'a'); (2, 'b') |] = ([| 1; 2 |], [| 'a'; 'b' |])
    ]} *)

val rev : 'a array -> 'a array
(** [rev a] is the array of the elements of [a], from the last to the first. Work O(n), span O(log
    n).

    {[
    Drover.Array.rev [| 1; 2; 3 |] = [| 3; 2; 1 |]
    ]} *)

val concat_map : ('a -> 'b array) -> 'a array -> 'b array
(** [concat_map f a] is the concatenation of the arrays [f a.(0)], .... Work O(n) plus the length of
    the result, span O(log n) plus the length of the longest of them.

    {[
    Drover.Array.concat_map (fun x -> [| x; -x |]) [| 1; 2 |] = [| 1; -1; 2; -2 |]
    ]} *)

(** {1 Reductions}

    The array is divided into blocks in a way that depends only on n. The operator must be
    associative and need not be commutative. The result is the same on any number of domains, even
    for an operator that is only nearly associative, such as the addition of floats. *)

val reduce : init:'b -> combine:('b -> 'b -> 'b) -> ('a -> 'b) -> 'a array -> 'b
(** [reduce ~init ~combine f a] is [init] combined with [f a.(0)], [f a.(1)], ... in this order.
    [init] is used once, at the left. Work O(n), span O(log n) plus n / 512 steps.

    {[
    let letters = Drover.Array.reduce ~init:0 ~combine:( + ) String.length in
    letters [| "one"; "three" |] = 8
    ]} *)

val fold :
  make:(unit -> 'acc) -> merge:('acc -> 'acc -> 'acc) -> ('acc -> 'a -> 'acc) -> 'a array -> 'acc
(** [fold ~make ~merge step a] is [... (step (step (make ()) a.(0)) a.(1)) ...], with states as in
    [Drover.parallel_fold]: for tables and buffers that are modified in place. Which states are
    merged differs from run to run, so the result is that of a serial loop if [merge s t] is what
    the steps of [t] make of [s]. Work O(n) plus a merge for each part that another worker took;
    span O(log n) steps and merges.

    {[
    Drover.Array.fold
      ~make:(fun () -> 0)
      ~merge:( + )
      (fun n s -> n + String.length s)
      [| "one"; "three" |]
    = 8
    ]} *)

val count : ('a -> bool) -> 'a array -> int
(** [count f a] is the number of elements that satisfy [f]. Bounds of {!reduce}.

    {[
    Drover.Array.count (fun x -> x > 1) [| 1; 2; 3 |] = 2
    ]} *)

val min_max : ('a -> 'a -> int) -> 'a array -> ('a * 'a) option
(** [min_max cmp a] is the first least and the first greatest element, or [None] if [a] is empty.
    Bounds of {!reduce}.

    {[
    Drover.Array.min_max Int.compare [| 3; 1; 2 |] = Some (1, 3)
    ]} *)

val sum_ints : int array -> int
(** [sum_ints a] is the sum of [a], modulo 2{^ 63} (on 64-bit machines). Bounds of {!reduce}.

    {[
    Drover.Array.sum_ints [| 1; 2; 3 |] = 6
    ]} *)

val sum_floats : float array -> float
(** [sum_floats a] is the sum of [a], without a boxed float per element. It is not rounded from left
    to right but in blocks and in four sums side by side, in a way that depends only on n. Bounds of
    {!reduce}.

    {[
    Drover.Array.sum_floats [| 0.5; 1.5 |] = 2.
    ]} *)

(** {1 Scans}

    Also known as prefix sums. The operator must be associative and need not be commutative; it is
    called twice for each element: Blelloch, {e Prefix sums and their applications} (1990), section
    1.2, in blocks that depend only on n. Work O(n), span O(log n) plus n / 512 steps. The scans of
    numbers read an element only once where the sum before it is known by then. *)

val scan : init:'a -> combine:('a -> 'a -> 'a) -> 'a array -> 'a array
(** [scan ~init ~combine a] is inclusive:
    [[|combine init a.(0); combine (combine init a.(0)) a.(1); ...|]].

    {[
    Drover.Array.scan ~init:0 ~combine:( + ) [| 1; 2; 3 |] = [| 1; 3; 6 |]
    ]} *)

val scan_exclusive : init:'a -> combine:('a -> 'a -> 'a) -> 'a array -> 'a array * 'a
(** [scan_exclusive ~init ~combine a] is [[|init; combine init a.(0); ...|]], with the length of
    [a], and the total: [init] combined with all elements.

    {[
    let a = [| 1; 2; 3 |] in
    Drover.Array.scan_exclusive ~init:0 ~combine:( + ) a = ([| 0; 1; 3 |], 6)
    ]} *)

val scan_inplace : init:'a -> combine:('a -> 'a -> 'a) -> 'a array -> unit
(** [scan_inplace ~init ~combine a] stores {!scan} in [a]. When [combine] raises, some elements have
    been replaced and others have not.

    {[
    let a = [| 1; 2; 3 |] in
    Drover.Array.scan_inplace ~init:0 ~combine:( + ) a;
    a = [| 1; 3; 6 |]
    ]} *)

val scan_exclusive_inplace : init:'a -> combine:('a -> 'a -> 'a) -> 'a array -> 'a
(** [scan_exclusive_inplace ~init ~combine a] stores {!scan_exclusive} in [a], and is the total.
    When [combine] raises, some elements have been replaced and others have not.

    {[
    let a = [| 1; 2; 3 |] in
    let total = Drover.Array.scan_exclusive_inplace ~init:0 ~combine:( + ) a in
    (a, total) = ([| 0; 1; 3 |], 6)
    ]} *)

val scan_ints : int array -> int array
(** [scan_ints a] is [scan ~init:0 ~combine:( + ) a], without a call per element.

    {[
    Drover.Array.scan_ints [| 1; 2; 3 |] = [| 1; 3; 6 |]
    ]} *)

val scan_floats : float array -> float array
(** [scan_floats a] is [scan ~init:0. ~combine:( +. ) a], without a call or a boxed float per
    element. It is rounded in blocks and in groups of four elements, in a way that depends only on
    n.

    {[
    Drover.Array.scan_floats [| 0.5; 1.; 2. |] = [| 0.5; 1.5; 3.5 |]
    ]} *)

val scan_ints_inplace : int array -> unit
(** [scan_ints_inplace a] stores {!scan_ints} in [a]. It saves making an array, which takes one
    worker as long as the scan.

    {[
    let a = [| 1; 2; 3 |] in
    Drover.Array.scan_ints_inplace a;
    a = [| 1; 3; 6 |]
    ]} *)

val scan_floats_inplace : float array -> unit
(** [scan_floats_inplace a] stores {!scan_floats} in [a].

    {[
    let a = [| 0.5; 1.; 2. |] in
    Drover.Array.scan_floats_inplace a;
    a = [| 0.5; 1.5; 3.5 |]
    ]} *)

(** {1 Searching}

    The answer is that of a serial loop, also when [f] raises: an exception counts only if no
    earlier element gives the answer. [f] may be called for elements after the answer. Work O(n),
    span O(log n) plus n / 512 steps. *)

val find_opt : ('a -> bool) -> 'a array -> 'a option
(** [find_opt f a] is the first element that satisfies [f].

    {[
    Drover.Array.find_opt (fun x -> x > 1) [| 1; 2; 3 |] = Some 2
    ]} *)

val find_index : ('a -> bool) -> 'a array -> int option
(** [find_index f a] is the index of the first element that satisfies [f].

    {[
    Drover.Array.find_index (fun x -> x > 1) [| 1; 2; 3 |] = Some 1
    ]} *)

val find_map : ('a -> 'b option) -> 'a array -> 'b option
(** [find_map f a] is the first of [f a.(0)], ... that is not [None].

    {[
    Drover.Array.find_map int_of_string_opt [| "one"; "2"; "3" |] = Some 2
    ]} *)

val exists : ('a -> bool) -> 'a array -> bool
(** [exists f a] is [true] iff an element satisfies [f].

    {[
    Drover.Array.exists (fun x -> x > 2) [| 1; 2; 3 |] = true
    ]} *)

val for_all : ('a -> bool) -> 'a array -> bool
(** [for_all f a] is [true] iff every element satisfies [f].

    {[
    Drover.Array.for_all (fun x -> x > 2) [| 1; 2; 3 |] = false
    ]} *)

val mem : 'a -> 'a array -> bool
(** [mem x a] is [true] iff an element is structurally equal to [x] ([compare] gives 0).

    {[
    Drover.Array.mem 2 [| 1; 2; 3 |] = true
    ]} *)

val is_sorted : ('a -> 'a -> int) -> 'a array -> bool
(** [is_sorted cmp a] is [true] iff no element is greater than its right neighbour.

    {[
    Drover.Array.is_sorted Int.compare [| 1; 3; 2 |] = false
    ]} *)

(** {1 Filtering}

    The elements keep their order. Work O(n), span O(log n) plus n / 512 steps. *)

val filter : ('a -> bool) -> 'a array -> 'a array
(** [filter f a] is the array of the elements that satisfy [f].

    {[
    Drover.Array.filter (fun x -> x > 1) [| 1; 2; 3 |] = [| 2; 3 |]
    ]} *)

val partition : ('a -> bool) -> 'a array -> 'a array * 'a array
(** [partition f a] is the array of the elements that satisfy [f], and that of the others.

    {[
    Drover.Array.partition (fun x -> x > 1) [| 1; 2; 3 |] = ([| 2; 3 |], [| 1 |])
    ]} *)

val filter_map : ('a -> 'b option) -> 'a array -> 'b array
(** [filter_map f a] is the array of the values [y] for which [f] returns [Some y].

    {[
    Drover.Array.filter_map int_of_string_opt [| "1"; "two"; "3" |] = [| 1; 3 |]
    ]} *)

val collect : ('a -> ('b -> unit) -> unit) -> 'a array -> 'b array
(** [collect f a] is the array of all that [f a.(0) push], [f a.(1) push], ... push, in this order.
    [f x] may call [push] only in its own task, and only until it returns. A push takes a few
    nanoseconds, and no array or list is made for each element.

    {[
    Drover.Array.collect
      (fun n push ->
        for i = 1 to n do
          push i
        done)
      [| 1; 0; 3 |]
    = [| 1; 1; 2; 3 |]
    ]} *)

val dedup : ('a -> 'a -> bool) -> 'a array -> 'a array
(** [dedup equal a] is [a] without the elements that are [equal] to their left neighbour in [a].

    {[
    Drover.Array.dedup Int.equal [| 1; 1; 2; 1 |] = [| 1; 2; 1 |]
    ]} *)

(** {1 Sorting}

    All sorts are stable. They sort in place, with one or two scratch arrays. The comparison is as
    for [Stdlib.Array.sort]. If it raises, or the task is cancelled before the end, the array is
    unchanged. If it is inconsistent, the result is some permutation of the elements. Work O(n log
    n), span O(log{^ 3} n): a merge sort with parallel merges, Cormen, Leiserson, Rivest, Stein,
    {e Introduction to Algorithms}, third edition, section 27.3. *)

val sort : ('a -> 'a -> int) -> 'a array -> unit
(** [sort] is {!stable_sort}.

    {[
    let a = [| 3; 1; 2 |] in
    Drover.Array.sort Int.compare a;
    a = [| 1; 2; 3 |]
    ]} *)

val stable_sort : ('a -> 'a -> int) -> 'a array -> unit
(** [stable_sort cmp a] sorts [a] in increasing order.

    {[
    let a = [| "b1"; "a"; "b0" |] in
    Drover.Array.stable_sort (fun x y -> Char.compare x.[0] y.[0]) a;
    a = [| "a"; "b1"; "b0" |]
    ]} *)

val fast_sort : ('a -> 'a -> int) -> 'a array -> unit
(** [fast_sort] is {!stable_sort}.

    {[
    let a = [| 3; 1; 2 |] in
    Drover.Array.fast_sort Int.compare a;
    a = [| 1; 2; 3 |]
    ]} *)

val sort_ints : int array -> unit
(** [sort_ints a] is [sort Int.compare a], several times faster. If the task is cancelled before the
    end, [a] may contain some elements more than once, and lack others.

    {[
    let a = [| 3; 1; 2 |] in
    Drover.Array.sort_ints a;
    a = [| 1; 2; 3 |]
    ]} *)

val sort_floats : float array -> unit
(** [sort_floats a] is [sort Float.compare a], several times faster: nan first, -0. and 0. equal. If
    the task is cancelled before the end, [a] is left as by {!sort_ints}.

    {[
    let a = [| 3.; 1.; 2. |] in
    Drover.Array.sort_floats a;
    a = [| 1.; 2.; 3. |]
    ]} *)

val sort_by_key : ('a -> int) -> 'a array -> unit
(** [sort_by_key key a] is [stable_sort (fun x y -> Int.compare (key x) (key y)) a] without
    comparisons: a radix sort by bytes, the lowest first. Work O(n k), span O(k (log n + n / 512))
    steps, where k is the number of bytes in which the keys differ from the smallest. If [key]
    raises, or the task is cancelled before the end, [a] is unchanged.

    {[
    let a = [| "three"; "a"; "of" |] in
    Drover.Array.sort_by_key String.length a;
    a = [| "a"; "of"; "three" |]
    ]} *)

val merge : ('a -> 'a -> int) -> 'a array -> 'a array -> 'a array
(** [merge cmp a b] is the array of the elements of [a] and [b], which must be sorted, in increasing
    order; elements of [a] come before equal ones of [b]. If [a] or [b] is not sorted, or [cmp] is
    inconsistent, the result has all elements in some order. Work O(n), span O(log{^ 2} n).

    {[
    Drover.Array.merge Int.compare [| 1; 4 |] [| 2; 3 |] = [| 1; 2; 3; 4 |]
    ]} *)

val kth_smallest : ('a -> 'a -> int) -> int -> 'a array -> 'a
(** [kth_smallest cmp k a] is the element that {!sort} would put at index [k], or one that is equal
    to it. [a] is not modified. Expected work O(n), span O(log{^ 2} n) plus n / 512 steps: Hoare,
    {e Find} (1961), with pivots from samples. If [cmp] is inconsistent, the result is some element.
    Raises [Invalid_argument] if [k] is not an index of [a].

    {[
    Drover.Array.kth_smallest Int.compare 1 [| 30; 10; 20 |] = 20
    ]} *)

val shuffle : seed:int -> 'a array -> 'a array
(** [shuffle ~seed a] is a random permutation of [a], which depends only on [seed] and n. Each
    element goes to one of several parts, and each part is then shuffled: Sanders,
    {e Random permutations on distributed, external and hierarchical memory} (1998). Work O(n), span
    O(log n) plus n / 256 steps.

    {[
    Drover.Array.sum_ints (Drover.Array.shuffle ~seed:7 [| 1; 2; 3 |]) = 6
    ]} *)

(** {1 Grouping} *)

val histogram : bins:int -> ('a -> int) -> 'a array -> int array
(** [histogram ~bins f a] is an array of counts: at each index [i] in [0..bins-1], the number of
    elements with [f x = i]. Each worker counts by itself, for at least as many elements as there
    are bins. Work O(n + bins), span O(log n) steps and additions of all bins. Raises
    [Invalid_argument] if [bins < 0] or if [f] is outside [0..bins-1].

    {[
    let words = [| "a"; "of"; "b" |] in
    Drover.Array.histogram ~bins:3 String.length words = [| 0; 2; 1 |]
    ]} *)

(** The following functions find elements with equal keys by hashing. By default, [equal] is
    [compare x y = 0] and [hash] is [Hashtbl.hash]. Equal keys must have equal hashes; if they do
    not, no element is lost, but a key may appear more than once. Results are in the order of the
    first element of each key, and the same on any number of domains. Each key is hashed once.
    Expected work O(n). *)

val group_by :
  ?hash:('k -> int) -> ?equal:('k -> 'k -> bool) -> ('a -> 'k) -> 'a array -> ('k * 'a array) array
(** [group_by key a] is the array of each key with its elements, in the order of [a]. Of equal keys
    the first is returned. Span of {!reduce_by}.

    {[
    Drover.Array.group_by String.length [| "a"; "of"; "b" |]
    = [| (1, [| "a"; "b" |]); (2, [| "of" |]) |]
    ]} *)

val reduce_by :
  ?hash:('k -> int) ->
  ?equal:('k -> 'k -> bool) ->
  combine:('v -> 'v -> 'v) ->
  ('a -> 'k) ->
  ('a -> 'v) ->
  'a array ->
  ('k * 'v) array
(** [reduce_by ~combine key value a] is the array of each key with the values of its elements,
    combined from left to right. [combine] must be associative, or nearly so, such as the addition
    of floats; what is combined with what depends only on [a]. Up to 16,384 elements are put into a
    table by one task, while others compute keys and values if these take long. Of more, [key] is
    called once more for a sample, to estimate the number of keys. Span O(log n) plus 4,096 steps
    for the sample, n / 256 for a block of elements, or 16 for each key, but at most n / 32; and n /
    256 for a part of the keys.

    {[
    let bytes = [| ("a", 1); ("b", 2); ("a", 3) |] in
    Drover.Array.reduce_by ~combine:( + ) fst snd bytes = [| ("a", 4); ("b", 2) |]
    ]} *)

val count_by :
  ?hash:('k -> int) -> ?equal:('k -> 'k -> bool) -> ('a -> 'k) -> 'a array -> ('k * int) array
(** [count_by key a] is the array of each key with the number of its elements. Span of {!reduce_by}.

    {[
    Drover.Array.count_by String.length [| "a"; "of"; "b" |] = [| (1, 2); (2, 1) |]
    ]} *)

val distinct : ?hash:('a -> int) -> ?equal:('a -> 'a -> bool) -> 'a array -> 'a array
(** [distinct a] is [a] without the elements that are equal to an earlier one. Span of {!reduce_by}.

    {[
    Drover.Array.distinct [| 3; 1; 3; 2 |] = [| 3; 1; 2 |]
    ]} *)

val join_by :
  ?hash:('k -> int) ->
  ?equal:('k -> 'k -> bool) ->
  ('a -> 'k) ->
  ('b -> 'k) ->
  'a array ->
  'b array ->
  ('a * 'b) array
(** [join_by key_a key_b a b] is the array of all pairs of an element of [a] and an element of [b]
    with equal keys, in the order of [a], and for each element of [a] in the order of [b]. Work and
    span of {!group_by}, plus the number of keys of [b] and of pairs.

    {[
    Drover.Array.join_by fst fst [| (1, "a"); (2, "b") |] [| (2, "c") |]
    = [| ((2, "b"), (2, "c")) |]
    ]} *)

(** {1 The serial rest}

    These are the functions of [Stdlib.Array] that have no parallel form here, so that [open Drover]
    takes none away, and [a.(i)] works as usual. All others of [Stdlib.Array] are above, parallel
    and of the same type; but {!shuffle} has another: the standard library's is
    [Stdlib.Array.shuffle]. *)

include Serial.Array
(** @inline *)
