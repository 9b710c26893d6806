(* Lists, strings, arrays of floats, bigarrays, lazy sequences and delayed ones, against the
   standard library. *)

open Inputs
module L = Drover.List
module F = Drover.Float_array
module T = Drover.Text
module S = Drover.Seq
module D = Drover.Delayed
module B = Drover.Bigarray1

let few i = { i with n = min i.n 5000 }
let list i = Array.to_list (ints i)
let even x = x land 1 = 0
let succ_float x = x +. 1.
let some_if p x = if p x then Some (x + 1) else None
let wanted i x = x = i.seed mod i.values
let pair_of i (x, _) = wanted i x

(* A search where elements before and behind the answer may raise. *)
let mined find i =
  match
    find (fun x -> if x = 0 && i.seed land 1 = 0 then raise Refused else wanted i x) (list i)
  with
  | found -> Ok found
  | exception Refused -> Error `Refused
  | exception Not_found -> Error `Not_found

let list_searches =
  [
    agrees "List.find_opt"
      (fun i -> List.find_opt (pair_of i) (Array.to_list (pairs i)))
      (fun i -> L.find_opt (pair_of i) (Array.to_list (pairs i)));
    agrees "List.find" (mined List.find) (mined L.find);
    agrees "List.find_map"
      (fun i -> List.find_map (some_if (wanted i)) (list i))
      (fun i -> L.find_map (some_if (wanted i)) (list i));
    agrees "List.exists" (mined List.exists) (mined L.exists);
    agrees "List.for_all" (mined List.for_all) (mined L.for_all);
    agrees "List.mem" (fun i -> List.mem 1 (list i)) (fun i -> L.mem 1 (list i));
  ]

let lists =
  [
    agrees "List.init" (fun i -> List.init i.n (( + ) i.seed)) (fun i -> L.init i.n (( + ) i.seed));
    agrees "List.iteri"
      (fun i -> ints i)
      (fun i ->
        let r = Array.make i.n (-1) in
        L.iteri (Array.set r) (list i);
        r);
    agrees "List.partition"
      (fun i -> List.partition even (list i))
      (fun i -> L.partition even (list i));
    agrees "List.concat_map"
      (fun i -> List.concat_map (fun x -> List.init (x land 3) (( + ) x)) (list i))
      (fun i -> L.concat_map (fun x -> List.init (x land 3) (( + ) x)) (list i));
    agrees "List.map" (fun i -> List.map succ (list i)) (fun i -> L.map succ (list i));
    agrees "List.mapi" (fun i -> List.mapi ( - ) (list i)) (fun i -> L.mapi ( - ) (list i));
    agrees "List.filter" (fun i -> List.filter even (list i)) (fun i -> L.filter even (list i));
    agrees "List.filter_map"
      (fun i -> List.filter_map (some_if even) (list i))
      (fun i -> L.filter_map (some_if even) (list i));
    agrees "List.reduce"
      (fun i -> String.concat "" (List.map string_of_int (list (few i))))
      (fun i ->
        L.reduce ~init:[] ~combine:( @ ) (fun x -> [ string_of_int x ]) (list (few i))
        |> String.concat "");
    agrees "List.sort"
      (fun i -> List.stable_sort by_value (Array.to_list (pairs i)))
      (fun i -> L.sort by_value (Array.to_list (pairs i)));
    agrees "List.iter"
      (fun i -> List.fold_left ( + ) 0 (list i))
      (fun i ->
        let sum = Atomic.make 0 in
        L.iter (fun x -> ignore (Atomic.fetch_and_add sum x : int)) (list i);
        Atomic.get sum);
    law "List.sort loses nothing with an inconsistent comparison" (fun i ->
        is_permutation (Array.of_list (L.sort (inconsistent i) (Array.to_list (pairs i)))) (pairs i));
    law "List.sort with a comparison that raises" (fun i ->
        match L.stable_sort (fun _ _ -> raise Refused) (list i) with
        | (_ : int list) -> i.n < 2
        | exception Refused -> i.n >= 2);
    law "List, raising" (fun i ->
        raising i (fun tick -> L.map (fun _ -> tick ()) (list i))
        && raising i (fun tick -> L.iter (fun _ -> tick ()) (list i)));
  ]

let unboxed i = Float.Array.map_from_array Float.of_int (ints i)
let whole_sum a = Float.Array.fold_left ( +. ) 0. a
let bits a = List.map Int64.bits_of_float (Float.Array.to_list a)

let float_arrays =
  [
    agrees "Float_array.map"
      (fun i -> Float.Array.map succ_float (unboxed i))
      (fun i -> F.map succ_float (unboxed i));
    agrees "Float_array.mapi"
      (fun i -> Float.Array.mapi (fun k x -> x -. Float.of_int k) (unboxed i))
      (fun i -> F.mapi (fun k x -> x -. Float.of_int k) (unboxed i));
    agrees "Float_array.map2"
      (fun i -> Float.Array.map2 ( -. ) (unboxed i) (Float.Array.init i.n Float.of_int))
      (fun i -> F.map2 ( -. ) (unboxed i) (F.init i.n Float.of_int));
    agrees "Float_array.map_inplace"
      (fun i -> Float.Array.map succ_float (unboxed i))
      (fun i ->
        let a = unboxed i in
        F.map_inplace succ_float a;
        a);
    agrees "Float_array.iteri"
      (fun i -> unboxed i)
      (fun i ->
        let r = Float.Array.make i.n 0. in
        F.iteri (Float.Array.set r) (unboxed i);
        r);
    agrees "Float_array.sum" (fun i -> whole_sum (unboxed i)) (fun i -> F.sum (unboxed i));
    agrees "Float_array.reduce"
      (fun i -> whole_sum (unboxed i))
      (fun i -> F.reduce ~init:0. ~combine:( +. ) Fun.id (unboxed i));
    agrees "Float_array.scan"
      (fun i ->
        let acc = ref 0. in
        Float.Array.map
          (fun x ->
            acc := !acc +. x;
            !acc)
          (unboxed i))
      (fun i -> F.scan (unboxed i));
    law "Float_array, raising" (fun i ->
        raising i (fun tick -> F.init i.n (after tick (fun _ -> 0.)))
        && raising i (fun tick -> F.map (after tick Fun.id) (unboxed i))
        && raising i (fun tick -> F.map_inplace (after tick Fun.id) (unboxed i))
        && raising i (fun tick -> F.iteri (fun _ _ -> tick ()) (unboxed i))
        && raising i (fun tick -> F.reduce ~init:0. ~combine:( +. ) (after tick Fun.id) (unboxed i)));
    same_everywhere "Float_array, floats" (fun i ->
        let a = Float.Array.map_from_array Fun.id (hard_floats i) in
        (F.sum a, F.scan a, F.reduce ~init:0. ~combine:( +. ) Fun.id a));
    agrees "Float_array.sort"
      (fun i ->
        let a = Float.Array.map_from_array Fun.id (floats i) in
        Float.Array.stable_sort Float.compare a;
        bits a)
      (fun i ->
        let a = Float.Array.map_from_array Fun.id (floats i) in
        F.sort a;
        bits a);
  ]

let bigarray i = Bigarray.Array1.of_array Float64 C_layout (Array.map Float.of_int (ints i))

let sum_slice _ (s : B.float64) =
  let sum = ref 0. in
  for k = 0 to Bigarray.Array1.dim s - 1 do
    sum := !sum +. s.{k}
  done;
  !sum

let bigarrays =
  [
    agrees "Bigarray1.sum_float64, reduce_slices"
      (fun i -> (whole_sum (unboxed i), whole_sum (unboxed i)))
      (fun i ->
        (B.sum_float64 (bigarray i), B.reduce_slices ~init:0. ~combine:( +. ) sum_slice (bigarray i)));
    agrees "Bigarray1.init_float64"
      (fun i -> bigarray i)
      (fun i ->
        let a = ints i in
        B.init_float64 i.n (fun k -> Float.of_int a.(k)));
    agrees "Bigarray1.reduce_slices, in order"
      (fun i -> Array.to_list (Array.map Float.of_int (ints (few i))))
      (fun i ->
        let elements _ s = List.init (Bigarray.Array1.dim s) (fun k -> s.{k}) in
        B.reduce_slices ~init:[] ~combine:( @ ) elements (bigarray (few i)));
    law "Bigarray1, raising" (fun i ->
        raising i (fun tick -> B.init_float64 i.n (after tick (fun _ -> 0.)))
        && raising i (fun tick -> B.map_float64 (after tick Fun.id) (bigarray i)));
    agrees "Bigarray1.map_float64"
      (fun i ->
        Bigarray.Array1.of_array Float64 C_layout (Array.map Float.of_int (Array.map succ (ints i))))
      (fun i -> B.map_float64 succ_float (bigarray i));
    agrees "Bigarray1.iter_slices"
      (fun i -> bigarray i)
      (fun i ->
        let r = B.init_float64 i.n (fun _ -> 0.) in
        B.iter_slices
          (fun at s ->
            for k = 0 to Bigarray.Array1.dim s - 1 do
              r.{at + k} <- r.{at + k} +. s.{k}
            done)
          (bigarray i);
        r);
    agrees "Bigarray1.fill, blit"
      (fun i -> Bigarray.Array1.of_array Float64 C_layout (Array.make i.n 3.))
      (fun i ->
        let a = bigarray i and b = bigarray i in
        B.fill a 3.;
        B.blit a b;
        b);
  ]

(* Letters, spaces and ends of lines. *)
let text i =
  let rng = Random.State.make [| i.seed |] in
  String.init i.n (fun _ -> "ab \nc\td".[Random.State.int rng (1 + (i.values mod 7))])

let words_of s =
  String.map (fun c -> if c = '\n' || c = '\t' then ' ' else c) s
  |> String.split_on_char ' '
  |> List.filter (fun w -> w <> "")

let lines_of s =
  match List.rev (String.split_on_char '\n' s) with
  | "" :: earlier -> List.rev earlier
  | all -> List.rev all

let find_of sub s =
  let at k = String.sub s k (String.length sub) = sub in
  List.find_opt at (List.init (max 0 (String.length s - String.length sub + 1)) Fun.id)

let in_order fold s =
  let merge left right = right @ left in
  List.rev (fold ~make:(fun () -> []) ~merge (fun items item -> item :: items) s)

let texts =
  [
    agrees "Text.words" (fun i -> words_of (text i)) (fun i -> Array.to_list (T.words (text i)));
    agrees "Text.lines" (fun i -> lines_of (text i)) (fun i -> Array.to_list (T.lines (text i)));
    agrees "Text.fold_words" (fun i -> words_of (text i)) (fun i -> in_order T.fold_words (text i));
    agrees "Text.fold_lines" (fun i -> lines_of (text i)) (fun i -> in_order T.fold_lines (text i));
    agrees "Text.count"
      (fun i -> String.fold_left (fun n c -> if c = 'a' then n + 1 else n) 0 (text i))
      (fun i -> T.count (Char.equal 'a') (text i));
    agrees "Text.find_index"
      (fun i -> String.index_opt (text i) 'd')
      (fun i -> T.find_index (Char.equal 'd') (text i));
    agrees "Text.find"
      (fun i -> List.map (fun sub -> find_of sub (text i)) [ "abca"; ""; "a\n" ])
      (fun i -> List.map (fun sub -> T.find ~sub (text i)) [ "abca"; ""; "a\n" ]);
  ]

let short_list i = list { i with n = min i.n 1000 }
let aheads = [ None; Some 1; Some 2; Some 100 ]

(* All results before the element of the source that raises come, and the source is never forced
   further than [ahead] past what has been consumed. *)
let source_raises n ahead map =
  let consumed = ref [] in
  let source =
    Seq.map
      (fun x ->
        if x >= List.length !consumed + ahead then failwith "too far ahead";
        if x = n then raise Refused else x)
      (Seq.ints 0)
  in
  match Seq.iter (fun x -> consumed := x :: !consumed) (map ~ahead Fun.id source) with
  | () -> false
  | exception Refused -> List.sort Int.compare !consumed = List.init n Fun.id

let seqs =
  [
    agrees ~count:20 "Seq.map"
      (fun i -> List.map (fun _ -> List.map succ (short_list i)) aheads)
      (fun i ->
        List.map (fun ahead -> List.of_seq (S.map ?ahead succ (List.to_seq (short_list i)))) aheads);
    agrees ~count:20 "Seq.map_unordered, but for the order"
      (fun i -> List.map (fun _ -> List.sort compare (List.map succ (short_list i))) aheads)
      (fun i ->
        List.map
          (fun ahead ->
            List.sort compare
              (List.of_seq (S.map_unordered ?ahead succ (List.to_seq (short_list i)))))
          aheads);
    agrees "Seq.map of an infinite source"
      (fun i -> List.init (min i.n 1000) succ)
      (fun i -> List.of_seq (Seq.take (min i.n 1000) (S.map succ (Seq.ints 0))));
    law ~count:20 "Seq.map and map_unordered of a source that raises" (fun i ->
        let n = min i.n 100 in
        List.for_all
          (fun ahead ->
            source_raises n ahead (fun ~ahead -> S.map ~ahead)
            && source_raises n ahead (fun ~ahead -> S.map_unordered ~ahead))
          [ 1; 2; 7; 300 ]);
    agrees ~count:20 "Seq.iter"
      (fun i -> List.fold_left ( + ) 0 (short_list i))
      (fun i ->
        let sum = Atomic.make 0 in
        S.iter (fun x -> ignore (Atomic.fetch_and_add sum x : int)) (List.to_seq (short_list i));
        Atomic.get sum);
  ]

let one_in_three x = if x mod 3 = 0 then Some (x / 3) else None

(* A pipeline of every step, with lists and delayed. *)

let expected_pipeline i =
  let firsts = List.filter even (List.mapi ( + ) (list i)) in
  let parts = List.map (fun x -> List.init (x land 3) (fun k -> x + k)) firsts in
  let zipped = List.mapi (fun k x -> (k, x)) (List.concat parts) in
  let flat = List.filter_map (fun (k, x) -> one_in_three (k + x)) zipped in
  let acc = ref 7 in
  List.map
    (fun x ->
      acc := !acc + x;
      !acc)
    flat

let pipeline i =
  let firsts = D.of_array (ints i) |> D.mapi ( + ) |> D.filter even in
  let flat = D.flatten (D.map (fun x -> D.tabulate (x land 3) (fun k -> x + k)) firsts) in
  let indices = D.tabulate (D.length flat) Fun.id in
  D.zip indices flat
  |> D.filter_map (fun (k, x) -> one_in_three (k + x))
  |> D.scan ~init:7 ~combine:( + )

let delayed =
  [
    agrees "Delayed, to_array" expected_pipeline (fun i -> Array.to_list (D.to_array (pipeline i)));
    agrees "Delayed, reduce and length"
      (fun i ->
        let l = expected_pipeline i in
        (List.fold_left ( + ) 5 l, List.length l))
      (fun i -> (D.reduce ~init:5 ~combine:( + ) (pipeline i), D.length (pipeline i)));
    agrees "Delayed, order of reduce"
      (fun i -> String.concat "" (List.map string_of_int (list (few i))))
      (fun i -> D.reduce ~init:"" ~combine:( ^ ) (D.map string_of_int (D.of_array (ints (few i)))));
    agrees "Delayed, iter"
      (fun i -> List.fold_left ( + ) 0 (expected_pipeline i))
      (fun i ->
        let sum = Atomic.make 0 in
        D.iter (fun x -> ignore (Atomic.fetch_and_add sum x : int)) (pipeline i);
        Atomic.get sum);
    agrees "Delayed, flatten of filtered"
      (fun i -> List.concat_map (fun x -> List.filter even [ x; x + 1; x + 2 ]) (list i))
      (fun i ->
        D.of_array (ints i)
        |> D.map (fun x -> D.filter even (D.tabulate 3 (fun k -> x + k)))
        |> D.flatten |> D.to_array |> Array.to_list);
    same_everywhere "Delayed, floats" (fun i ->
        let s = D.map (fun x -> x *. 3.) (D.of_array (hard_floats i)) in
        (D.reduce ~init:0. ~combine:( +. ) s, D.to_array (D.scan ~init:0. ~combine:( +. ) s)));
    agrees "Delayed.lines"
      (fun i -> lines_of (text i))
      (fun i -> Array.to_list (D.to_array (D.lines (text i))));
    agrees "Delayed.words"
      (fun i -> words_of (text i))
      (fun i -> Array.to_list (D.to_array (D.words (text i))));
    same_everywhere "Delayed.reduce_by, floats" (fun i ->
        D.reduce_by ~combine:( +. )
          (fun x -> Float.to_int x land 1023)
          Fun.id
          (D.of_array (hard_floats i)));
    law "Delayed, raising" (fun i ->
        raising i (fun tick ->
            D.iter ignore
              (D.map (fun _ -> tick ()) (D.filter (fun _ -> true) (D.of_array (ints i))))));
  ]

let () =
  Test_support.Properties.run
    (lists @ list_searches @ float_arrays @ bigarrays @ texts @ seqs @ delayed)
