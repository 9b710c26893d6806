(* The sorts and what is made of them, against the standard library. *)

open Inputs
module A = Drover.Array

let sorted_by sort make i =
  let a = make i in
  sort a;
  a

(* Floats as bits, to tell zeros and nans apart. *)
let bits a = Array.map Int64.bits_of_float a

let shapes =
  [
    ("random", ints);
    ("sorted", sorted_by (Array.stable_sort Int.compare) ints);
    ("reversed", sorted_by (Array.stable_sort (fun x y -> Int.compare y x)) ints);
    ("a saw", fun i -> Array.init i.n (fun k -> k mod (1 + (i.seed mod 100))));
    ( "extreme",
      fun i -> Array.map (fun x -> if x land 1 = 0 then min_int + x else max_int - x) (ints i) );
  ]

let of_ints =
  List.concat_map
    (fun (shape, make) ->
      let agrees name expected sort =
        agrees ~count:30 (name ^ ", " ^ shape) (sorted_by expected make) (sorted_by sort make)
      in
      [
        agrees "sort_ints" (Array.stable_sort Int.compare) A.sort_ints;
        agrees "sort" (Array.stable_sort Int.compare) (A.sort Int.compare);
        agrees "sort_by_key" (Array.stable_sort Int.compare) (A.sort_by_key Fun.id);
      ])
    shapes

let sorts =
  [
    agrees "stable_sort is stable"
      (sorted_by (Array.stable_sort by_value) pairs)
      (sorted_by (A.stable_sort by_value) pairs);
    agrees "sort_by_key is stable"
      (sorted_by (Array.stable_sort by_value) pairs)
      (sorted_by (A.sort_by_key fst) pairs);
    agrees ~count:200 "sort_floats"
      (fun i -> bits (sorted_by (Array.stable_sort Float.compare) floats i))
      (fun i -> bits (sorted_by A.sort_floats floats i));
    agrees "is_sorted"
      (fun i -> (ints i = sorted_by (Array.stable_sort Int.compare) ints i, true))
      (fun i ->
        (A.is_sorted Int.compare (ints i), A.is_sorted Int.compare (sorted_by A.sort_ints ints i)));
    agrees "merge"
      (fun i ->
        let a, b =
          (pairs i, Array.map (fun (x, p) -> (x + 1, -p)) (pairs { i with n = i.n / 3 }))
        in
        let all =
          Array.append
            (sorted_by (Array.stable_sort by_value) Fun.id a)
            (sorted_by (Array.stable_sort by_value) Fun.id b)
        in
        sorted_by (Array.stable_sort by_value) Fun.id all)
      (fun i ->
        let a, b =
          (pairs i, Array.map (fun (x, p) -> (x + 1, -p)) (pairs { i with n = i.n / 3 }))
        in
        A.merge by_value
          (sorted_by (Array.stable_sort by_value) Fun.id a)
          (sorted_by (Array.stable_sort by_value) Fun.id b));
  ]

let hostile_comparisons =
  [
    law "a comparison that raises leaves the array as it was" (fun i ->
        let a = ints i in
        let before = Array.copy a in
        let calls = Atomic.make 0 and last = i.seed mod (1 + (4 * i.n)) in
        let cmp x y =
          if Atomic.fetch_and_add calls 1 >= last then raise Refused else Int.compare x y
        in
        match A.sort cmp a with
        | () -> a = sorted_by (Array.stable_sort Int.compare) ints i
        | exception Refused -> a = before);
    law "an inconsistent comparison loses nothing in sort" (fun i ->
        let a = pairs i in
        A.sort (inconsistent i) a;
        is_permutation a (pairs i));
    law "an inconsistent comparison loses nothing in merge" (fun i ->
        is_permutation
          (A.merge (inconsistent i) (pairs i) (pairs i))
          (Array.append (pairs i) (pairs i)));
    law "an inconsistent comparison does not hang the rest" (fun i ->
        let a = pairs i in
        i.n = 0
        || Array.mem (A.kth_smallest (inconsistent i) (i.seed mod i.n) a) a
           && Option.is_some (A.min_max (inconsistent i) a));
    law "an inconsistent equality loses nothing in group_by" (fun i ->
        (* It compares each element with all others, where few are equal to any. *)
        let i = { i with n = Int.min i.n 4000 } in
        let equal x y = inconsistent i (x, 0) (y, 0) = 0 in
        let groups = A.group_by ~equal fst (pairs i) in
        is_permutation (Array.concat (Array.to_list (Array.map snd groups))) (pairs i));
    law "a key that raises leaves the array as it was" (fun i ->
        let a = ints i in
        let key x = if x = i.seed mod i.values then raise Refused else x in
        match A.sort_by_key key a with
        | () -> a = sorted_by (Array.stable_sort Int.compare) ints i
        | exception Refused -> a = ints i);
  ]

(* What is left in the array of [make i] by [sort s], which cancels the scope [s] at some time. *)
let cancelled make i sort =
  let a = make i in
  (try Drover.Scope.run (fun s -> sort s a) with Refused -> ());
  a

let cancelling i s f =
  let calls = Atomic.make 0 and last = i.seed mod (1 + (2 * i.n)) in
  fun x ->
    if Atomic.fetch_and_add calls 1 = last then Drover.Scope.cancel s Refused;
    f x

let as_it_was_or_sorted i a = a = pairs i || a = sorted_by (Array.stable_sort by_value) pairs i

let cancelled_sorts =
  [
    law "sort, cancelled, leaves the array as it was, or sorted" (fun i ->
        as_it_was_or_sorted i (cancelled pairs i (fun s a -> A.sort (cancelling i s by_value) a)));
    law "sort_by_key, cancelled, leaves the array as it was, or sorted" (fun i ->
        as_it_was_or_sorted i (cancelled pairs i (fun s a -> A.sort_by_key (cancelling i s fst) a)));
    law "sort_ints, cancelled, brings nothing else into the array" (fun i ->
        let a =
          cancelled ints i (fun s a ->
              Drover.Scope.spawn s (fun () ->
                  for _ = 1 to i.seed mod 1000 do
                    Domain.cpu_relax ()
                  done;
                  Drover.Scope.cancel s Refused);
              A.sort_ints a)
        in
        let distinct a = List.sort_uniq Int.compare (Array.to_list a) in
        distinct (Array.append a (ints i)) = distinct (ints i));
  ]

(* The keys in the order in which they come first, each with its elements. *)
let groups_of key a =
  let groups = Hashtbl.create 64 and order = ref [] in
  Array.iter
    (fun x ->
      let k = key x in
      if not (Hashtbl.mem groups k) then order := k :: !order;
      Hashtbl.add groups k x)
    a;
  List.rev_map (fun k -> (k, List.rev (Hashtbl.find_all groups k))) !order

let few i = { i with n = min i.n 400 }
let few_values i = { i with values = min i.values 1000; n = min i.n 5000 }
let bin i x = ((x mod i) + i) mod i

let histogram_of bins a =
  let counts = Array.make bins 0 in
  Array.iter (fun x -> counts.(bin bins x) <- counts.(bin bins x) + 1) a;
  counts

let behind (a, b) (c, d) = (c * a, (c * b) + d)
let affine x = ((2 * x) + 1, x)
let many i = { i with n = 17_000 + i.n }

(* One key has half of the elements. *)
let uneven x = if x land 1 = 0 then 0 else x

let groups =
  [
    agrees "group_by"
      (fun i -> groups_of fst (pairs i))
      (fun i ->
        A.group_by fst (pairs i)
        |> Array.map (fun (k, group) -> (k, Array.to_list group))
        |> Array.to_list);
    agrees "group_by, bad hashes"
      (fun i -> groups_of fst (pairs (few_values i)))
      (fun i ->
        A.group_by ~hash:(fun k -> k land 7) ~equal:Int.equal fst (pairs (few_values i))
        |> Array.map (fun (k, group) -> (k, Array.to_list group))
        |> Array.to_list);
    agrees "reduce_by"
      (fun i ->
        List.map
          (fun (k, group) -> (k, String.concat " " (List.map string_of_int group)))
          (groups_of (bin 100) (ints (few_values i))))
      (fun i ->
        A.reduce_by ~combine:(fun x y -> x ^ " " ^ y) (bin 100) string_of_int (ints (few_values i))
        |> Array.to_list);
    agrees "reduce_by, floats"
      (fun i ->
        List.map
          (fun (k, group) -> (k, List.fold_left ( +. ) 0. (List.map float group)))
          (groups_of (bin 100) (ints i)))
      (fun i -> A.reduce_by ~combine:( +. ) (bin 100) float (ints i) |> Array.to_list);
    (* Functions x -> a x + b, one behind the other *)
    agrees "reduce_by, in order"
      (fun i ->
        List.map
          (fun (k, group) -> (k, List.fold_left behind (1, 0) (List.map affine group)))
          (groups_of (bin 5000) (ints i)))
      (fun i -> A.reduce_by ~combine:behind (bin 5000) affine (ints i) |> Array.to_list);
    agrees "Delayed.reduce_by"
      (fun i ->
        List.map
          (fun (k, group) -> (k, String.concat " " (List.map string_of_int group)))
          (groups_of (bin 100) (ints (few_values i))))
      (fun i ->
        Drover.Delayed.(
          of_array (ints (few_values i))
          |> reduce_by ~combine:(fun x y -> x ^ " " ^ y) (bin 100) string_of_int)
        |> Array.to_list);
    agrees "Delayed.count_by, with little or nothing in front"
      (fun i ->
        List.filter_map
          (fun (k, group) -> if k land 7 = 0 then None else Some (k, List.length group))
          (groups_of Fun.id (sorted_by A.sort_ints ints i)))
      (fun i ->
        Drover.Delayed.(
          of_array (sorted_by A.sort_ints ints i)
          |> filter (fun k -> k land 7 > 0)
          |> count_by Fun.id)
        |> Array.to_list);
    agrees "count_by"
      (fun i -> List.map (fun (k, group) -> (k, List.length group)) (groups_of Fun.id (ints i)))
      (fun i -> Array.to_list (A.count_by Fun.id (ints i)));
    agrees "distinct"
      (fun i -> List.map fst (groups_of string_of_int (ints i)))
      (fun i -> Array.to_list (A.distinct (Array.map string_of_int (ints i))));
    agrees "join_by"
      (fun i ->
        let a, b = (pairs (few i), Array.to_list (ints (few i))) in
        let with_bin x = List.filter (fun y -> bin 50 y = bin 50 (fst x)) b in
        List.concat_map (fun x -> List.map (fun y -> (x, y)) (with_bin x)) (Array.to_list a))
      (fun i ->
        let a, b = (pairs (few i), ints (few i)) in
        A.join_by (fun x -> bin 50 (fst x)) (bin 50) a b |> Array.to_list);
    (* So many that there are tables by block, or none where most keys differ *)
    agrees "group_by, many elements"
      (fun i -> groups_of fst (pairs (many i)))
      (fun i ->
        A.group_by fst (pairs (many i))
        |> Array.map (fun (k, group) -> (k, Array.to_list group))
        |> Array.to_list);
    agrees "reduce_by, one of many keys has half"
      (fun i ->
        List.map
          (fun (k, group) -> (k, List.fold_left behind (1, 0) (List.map affine group)))
          (groups_of uneven (ints (many i))))
      (fun i -> A.reduce_by ~combine:behind uneven affine (ints (many i)) |> Array.to_list);
    agrees "group_by, one of many keys has half"
      (fun i -> groups_of (fun (x, _) -> uneven x) (pairs (many i)))
      (fun i ->
        A.group_by (fun (x, _) -> uneven x) (pairs (many i))
        |> Array.map (fun (k, group) -> (k, Array.to_list group))
        |> Array.to_list);
    agrees "distinct, many elements"
      (fun i -> List.map fst (groups_of float (ints (many i))))
      (fun i -> Array.to_list (A.distinct (Array.map float (ints (many i)))));
    agrees "Delayed.reduce_by, many elements"
      (fun i ->
        List.map
          (fun (k, group) -> (k, List.fold_left behind (1, 0) (List.map affine group)))
          (groups_of Fun.id (ints (many i))))
      (fun i ->
        Drover.Delayed.(of_array (ints (many i)) |> reduce_by ~combine:behind Fun.id affine)
        |> Array.to_list);
    agrees "join_by, many elements"
      (fun i ->
        let places = Hashtbl.create 16 and a = ints (many i) in
        List.iter
          (fun (x, place) -> Hashtbl.add places x place)
          (List.rev (Array.to_list (pairs (many i))));
        List.concat_map
          (fun x -> List.map (fun place -> (x, place)) (Hashtbl.find_all places x))
          (Array.to_list (Array.sub a 0 3)))
      (fun i ->
        let a = ints (many i) in
        A.join_by Fun.id fst (Array.sub a 0 3) (pairs (many i))
        |> Array.map (fun (x, (_, place)) -> (x, place))
        |> Array.to_list);
    same_everywhere "reduce_by, hard floats, many elements" (fun i ->
        let i = many i in
        A.reduce_by ~combine:( +. ) fst snd (A.zip (ints i) (hard_floats i)));
    agrees "histogram, few bins"
      (fun i -> histogram_of 7 (ints i))
      (fun i -> A.histogram ~bins:7 (bin 7) (ints i));
    agrees "histogram, many bins"
      (fun i -> histogram_of 3000 (ints i))
      (fun i -> A.histogram ~bins:3000 (bin 3000) (ints i));
    agrees "kth_smallest"
      (fun i -> if i.n = 0 then 0 else (sorted_by A.sort_ints ints i).(i.seed mod i.n))
      (fun i -> if i.n = 0 then 0 else A.kth_smallest Int.compare (i.seed mod i.n) (ints i));
    law "shuffle is a permutation" (fun i ->
        is_permutation (A.shuffle ~seed:i.seed (pairs i)) (pairs i));
    same_everywhere "shuffle" (fun i -> A.shuffle ~seed:i.seed (pairs i));
  ]

let () =
  Test_support.Properties.run (of_ints @ sorts @ hostile_comparisons @ cancelled_sorts @ groups)
