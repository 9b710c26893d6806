(* Drover.Array against the standard library. *)

open Inputs
module A = Drover.Array

let f x = (x * 7) + 1
let even x = x land 1 = 0

(* Associative, not commutative: the composition of x -> a x + b modulo a prime. *)
let prime = 1_000_003
let compose (a, b) (c, d) = (a * c mod prime, ((b * c) + d) mod prime)
let affine x = ((abs x mod 1000) + 1, abs x mod prime)
let identity = (1, 0)

let elementwise =
  [
    agrees ~show:show_ints "init" (fun i -> Array.init i.n f) (fun i -> A.init i.n f);
    agrees ~show:show_ints "map" (fun i -> Array.map f (ints i)) (fun i -> A.map f (ints i));
    agrees "map to floats"
      (fun i -> Array.map Float.of_int (ints i))
      (fun i -> A.map Float.of_int (ints i));
    agrees "map to strings"
      (fun i -> Array.map string_of_int (ints i))
      (fun i -> A.map string_of_int (ints i));
    agrees ~show:show_ints "mapi"
      (fun i -> Array.mapi ( - ) (ints i))
      (fun i -> A.mapi ( - ) (ints i));
    agrees ~show:show_ints "map2"
      (fun i -> Array.map2 ( - ) (ints i) (Array.init i.n f))
      (fun i -> A.map2 ( - ) (ints i) (Array.init i.n f));
    agrees ~show:show_ints "map_inplace"
      (fun i -> Array.map f (ints i))
      (fun i ->
        let a = ints i in
        A.map_inplace f a;
        a);
    agrees ~show:show_ints "iter and iteri visit each once"
      (fun i -> Array.make i.n 2)
      (fun i ->
        let visits = Array.init i.n (fun _ -> Atomic.make 0) in
        A.iter Atomic.incr visits;
        A.iteri (fun k v -> if v == visits.(k) then Atomic.incr v) visits;
        Array.map Atomic.get visits);
    law "raising" (fun i ->
        raising i (fun tick -> A.map (after tick Fun.id) (ints i))
        && raising i (fun tick -> A.iter (fun _ -> tick ()) (ints i))
        && raising i (fun tick -> A.init i.n (fun _ -> tick ())));
  ]

let floor_div a b = if b = 0 then a else a / b

let moves =
  [
    agrees ~show:show_ints "rev"
      (fun i -> Array.of_list (List.rev (Array.to_list (ints i))))
      (fun i -> A.rev (ints i));
    agrees "zip"
      (fun i -> Array.combine (ints i) (Array.init i.n f))
      (fun i -> A.zip (ints i) (Array.init i.n f));
    agrees "unzip" (fun i -> Array.split (pairs i)) (fun i -> A.unzip (pairs i));
    agrees ~show:show_ints "sub"
      (fun i -> Array.sub (ints i) (i.n / 3) (i.n / 2))
      (fun i -> A.sub (ints i) (i.n / 3) (i.n / 2));
    agrees "blit, overlapping or not"
      (fun i ->
        let a = ints i and b = Array.make i.n 0 in
        Array.blit a 0 b (i.n / 4) (i.n / 2);
        Array.blit a 0 a (floor_div i.n 7) (i.n / 2);
        (a, b))
      (fun i ->
        let a = ints i and b = Array.make i.n 0 in
        A.blit a 0 b (i.n / 4) (i.n / 2);
        A.blit a 0 a (floor_div i.n 7) (i.n / 2);
        (a, b));
    agrees ~show:show_ints "fill"
      (fun i ->
        let a = ints i in
        Array.fill a (i.n / 4) (i.n / 2) 5;
        a)
      (fun i ->
        let a = ints i in
        A.fill a (i.n / 4) (i.n / 2) 5;
        a);
    agrees ~show:show_ints "concat"
      (fun i -> Array.concat [ [||]; ints i; Array.init 5 f; ints i; [||] ])
      (fun i -> A.concat [ [||]; ints i; Array.init 5 f; ints i; [||] ]);
    agrees ~show:show_ints "concat_map"
      (fun i ->
        Array.concat (Array.to_list (Array.map (fun x -> Array.make (x land 3) x) (ints i))))
      (fun i -> A.concat_map (fun x -> Array.make (x land 3) x) (ints i));
    agrees "of_seq, to_list, copy"
      (fun i -> (ints i, Array.to_list (ints i), ints i))
      (fun i -> (A.of_seq (Array.to_seq (ints i)), A.to_list (ints i), A.copy (ints i)));
  ]

let extremes cmp a =
  let pick better = Array.fold_left (fun m x -> if better (cmp x m) then x else m) a.(0) a in
  if a = [||] then None else Some (pick (fun c -> c < 0), pick (fun c -> c > 0))

let reductions =
  [
    agrees "reduce"
      (fun i -> Array.fold_left (fun acc x -> compose acc (affine x)) identity (ints i))
      (fun i -> A.reduce ~init:identity ~combine:compose affine (ints i));
    agrees "reduce uses init once"
      (fun i -> 5 + Array.fold_left ( + ) 0 (ints i))
      (fun i -> A.reduce ~init:5 ~combine:( + ) Fun.id (ints i));
    agrees "count"
      (fun i -> List.length (List.filter even (Array.to_list (ints i))))
      (fun i -> A.count even (ints i));
    agrees "min_max" (fun i -> extremes by_value (pairs i)) (fun i -> A.min_max by_value (pairs i));
    agrees "sum_ints" (fun i -> Array.fold_left ( + ) 0 (ints i)) (fun i -> A.sum_ints (ints i));
    agrees "sum_floats, of whole numbers"
      (fun i -> Array.fold_left ( +. ) 0. (Array.map Float.of_int (ints i)))
      (fun i -> A.sum_floats (Array.map Float.of_int (ints i)));
    same_everywhere "sum_floats" (fun i -> A.sum_floats (hard_floats i));
    same_everywhere "reduce of floats" (fun i ->
        A.reduce ~init:0. ~combine:( +. ) Fun.id (hard_floats i));
    law "raising" (fun i ->
        raising i (fun tick -> A.reduce ~init:0 ~combine:( + ) (after tick Fun.id) (ints i)));
  ]

let scan_of op init a =
  let acc = ref init in
  Array.map
    (fun x ->
      acc := op !acc x;
      !acc)
    a

let exclusive_of op init a =
  let all = Array.append [| init |] (scan_of op init a) in
  (Array.sub all 0 (Array.length a), all.(Array.length a))

let in_place scan a =
  let r = scan a in
  (a, r)

let scans =
  [
    agrees "scan"
      (fun i -> scan_of compose (3, 4) (Array.map affine (ints i)))
      (fun i -> A.scan ~init:(3, 4) ~combine:compose (Array.map affine (ints i)));
    agrees "scan_exclusive"
      (fun i -> exclusive_of compose (3, 4) (Array.map affine (ints i)))
      (fun i -> A.scan_exclusive ~init:(3, 4) ~combine:compose (Array.map affine (ints i)));
    agrees "scan_inplace"
      (fun i -> (scan_of ( + ) 1 (ints i), ()))
      (fun i -> in_place (A.scan_inplace ~init:1 ~combine:( + )) (ints i));
    agrees "scan_exclusive_inplace"
      (fun i -> exclusive_of ( + ) 1 (ints i))
      (fun i -> in_place (A.scan_exclusive_inplace ~init:1 ~combine:( + )) (ints i));
    agrees ~show:show_ints "scan_ints"
      (fun i -> scan_of ( + ) 0 (ints i))
      (fun i -> A.scan_ints (ints i));
    agrees "scan_floats, of whole numbers"
      (fun i -> scan_of ( +. ) 0. (Array.map Float.of_int (ints i)))
      (fun i -> A.scan_floats (Array.map Float.of_int (ints i)));
    same_everywhere "scan_floats" (fun i -> A.scan_floats (hard_floats i));
    agrees "scan_ints_inplace"
      (fun i -> (scan_of ( + ) 0 (ints i), ()))
      (fun i -> in_place A.scan_ints_inplace (ints i));
    agrees "scan_floats_inplace"
      (fun i -> (A.scan_floats (hard_floats i), ()))
      (fun i -> in_place A.scan_floats_inplace (hard_floats i));
    law "scan_floats of positive numbers never falls within a block" (fun i ->
        let a = A.scan_floats (hard_floats { i with n = min i.n 4096 }) in
        A.is_sorted Float.compare a);
    same_everywhere "scan of floats" (fun i -> A.scan ~init:0. ~combine:( +. ) (hard_floats i));
  ]

let wanted i x = x = i.seed mod i.values
let some_if p x = if p x then Some (x, x) else None

(* The element that the search is for, and one that it must not reach, in any order. *)
let meets_a_mine i =
  let a = pairs i in
  let find found search =
    match
      search
        (fun (x, _) ->
          if wanted i x then found
          else if x = 0 && i.seed land 1 = 0 then raise Refused
          else not found)
        a
    with
    | r -> Ok r
    | exception Refused -> Error ()
  in
  ( find true (fun p a -> Option.fold ~none:(-1) ~some:snd (List.find_opt p (Array.to_list a))),
    find true (fun p a -> Option.fold ~none:(-1) ~some:snd (A.find_opt p a)) )

let searches =
  [
    agrees "find_opt"
      (fun i -> List.find_opt (fun (x, _) -> wanted i x) (Array.to_list (pairs i)))
      (fun i -> A.find_opt (fun (x, _) -> wanted i x) (pairs i));
    agrees "find_index"
      (fun i -> Array.find_index (wanted i) (ints i))
      (fun i -> A.find_index (wanted i) (ints i));
    agrees "find_map"
      (fun i -> Array.find_map (some_if (wanted i)) (ints i))
      (fun i -> A.find_map (some_if (wanted i)) (ints i));
    agrees "exists"
      (fun i -> Array.exists (wanted i) (ints i))
      (fun i -> A.exists (wanted i) (ints i));
    agrees "for_all" (fun i -> Array.for_all even (ints i)) (fun i -> A.for_all even (ints i));
    agrees "mem" (fun i -> Array.mem 1 (ints i)) (fun i -> A.mem 1 (ints i));
    law "the first of answers and exceptions" (fun i ->
        let expected, found = meets_a_mine i in
        expected = found);
  ]

let few i = { i with n = min i.n 500 }

let picks =
  [
    agrees "filter"
      (fun i -> List.filter even (Array.to_list (ints i)))
      (fun i -> Array.to_list (A.filter even (ints i)));
    agrees "partition"
      (fun i -> List.partition even (Array.to_list (ints i)))
      (fun i ->
        let yes, no = A.partition even (ints i) in
        (Array.to_list yes, Array.to_list no));
    agrees "filter_map"
      (fun i -> List.filter_map (some_if even) (Array.to_list (ints i)))
      (fun i -> Array.to_list (A.filter_map (some_if even) (ints i)));
    agrees "filter_map to floats, and concat_map of long arrays"
      (fun i ->
        ( List.map Float.of_int (List.filter even (Array.to_list (ints i))),
          List.concat_map
            (fun x -> List.init (x land 1 * 300) (( + ) x))
            (Array.to_list (ints (few i))) ))
      (fun i ->
        ( Array.to_list
            (A.filter_map (fun x -> if even x then Some (Float.of_int x) else None) (ints i)),
          Array.to_list
            (A.concat_map (fun x -> Array.init (x land 1 * 300) (( + ) x)) (ints (few i))) ));
    agrees "collect"
      (fun i ->
        List.concat_map (fun x -> List.init (x land 3) (fun k -> (x, k))) (Array.to_list (ints i)))
      (fun i ->
        Array.to_list
          (A.collect
             (fun x push ->
               for k = 0 to (x land 3) - 1 do
                 push (x, k)
               done)
             (ints i)));
    agrees "parallel_collect"
      (fun i -> List.filter even (List.init i.n (( + ) i.seed)))
      (fun i ->
        Array.to_list
          (Drover.parallel_collect ~start:i.seed
             ~finish:(i.seed + i.n - 1)
             (fun k push -> if even k then push k)));
    agrees "dedup"
      (fun i ->
        let a = ints i in
        List.filteri (fun k x -> k = 0 || even a.(k - 1) <> even x) (Array.to_list a))
      (fun i -> Array.to_list (A.dedup (fun x y -> even x = even y) (ints i)));
    agrees "dedup after a sort"
      (fun i -> List.sort_uniq Int.compare (Array.to_list (ints i)))
      (fun i ->
        let a = ints i in
        A.sort Int.compare a;
        Array.to_list (A.dedup Int.equal a));
    law "raising" (fun i ->
        let a = ints i in
        List.for_all (raising i)
          [
            (fun tick -> ignore (A.partition (after tick even) a));
            (fun tick -> ignore (A.filter_map (after tick Option.some) a));
            (fun tick -> ignore (A.concat_map (after tick (fun x -> [| x |])) a));
            (fun tick -> ignore (A.count (after tick even) a));
            (fun tick -> ignore (A.histogram ~bins:1 (after tick (fun _ -> 0)) a));
            (fun tick -> A.map_inplace (after tick Fun.id) (Array.copy a));
            (fun tick ->
              ignore
                (A.mapi
                   (fun _ x ->
                     tick ();
                     x)
                   a));
            (fun tick -> A.iteri (fun _ _ -> tick ()) a);
            (fun tick ->
              ignore
                (A.map2
                   (fun x _ ->
                     tick ();
                     x)
                   a a));
          ]);
    law "collect, raising" (fun i ->
        raising i (fun tick ->
            A.collect
              (fun x push ->
                push x;
                tick ())
              (ints i)));
    law "filter, raising" (fun i -> raising i (fun tick -> A.filter (after tick even) (ints i)));
  ]

let () = Test_support.Properties.run (elementwise @ moves @ reductions @ scans @ searches @ picks)
