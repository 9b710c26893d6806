type row = {
  name : string;
  alone : float;
  shared : float;
  case : int -> (unit -> unit) * (unit -> unit);
}

let row ?(alone = 0.95) ?(shared = 1.3) name input serial ours =
  let case n =
    let x = input n in
    let call f () = ignore (Sys.opaque_identity (f x)) in
    (call serial, call ours)
  in
  { name; alone; shared; case }

(* What a bare copy of memory is the best program for. *)
let moved name = row ~shared:1. name

(* Elements *)

let mixed i = i * 0x9E3779B1 lxor (i lsr 7) land 0xfffffff
let ints n = Array.init n mixed
let floats n = Array.init n (fun i -> float (mixed i))
let strings n = Array.init n (fun i -> "key " ^ string_of_int (mixed i land 255))

(* A key has twenty. *)
let accounts n =
  Array.init n (fun i -> "account " ^ string_of_int ((mixed i lsr 8) mod Int.max 1 (n / 20)))

type record = { id : int; weight : float }

let records n = Array.init n (fun i -> { id = mixed i; weight = float i })
let by_id a b = Int.compare a.id b.id
let ordered n = Array.init n Fun.id
let floatarray n = Float.Array.init n (fun i -> float (mixed i))
let bigarray n = Bigarray.(Array1.init Float64 C_layout n (fun i -> float (mixed i)))
let list n = Array.to_list (ints n)
let text n = String.init n (fun i -> if i land 7 = 7 then ' ' else 'a')
let lines n = String.init n (fun i -> if mixed i land 31 = 0 then '\n' else 'a')

(* Serial programs *)

let double x = 2 * x
let is_even x = x land 1 = 0
let half_of x = if is_even x then Some x else None
let twice x = [| x; x + 1 |]
let hash_of x = ignore (Sys.opaque_identity (Hashtbl.hash x) : int)
let filtered f a = Array.of_list (List.filter f (Array.to_list a))

(* Closures, of which the compiler knows no more than of a user's. *)
let id x = Sys.opaque_identity Fun.id x
let plus x y = Sys.opaque_identity ( +. ) x y
let larger x y = Sys.opaque_identity Int.max x y
let folded f combine init a = Array.fold_left (fun acc x -> combine acc (f x)) init a

let scanned op init a =
  let r = Array.make (Array.length a) init and acc = ref init in
  for i = 0 to Array.length a - 1 do
    acc := op !acc a.(i);
    r.(i) <- !acc
  done;
  r

let sums_of_ints (a : int array) =
  let r = Array.make (Array.length a) 0 and sum = ref 0 in
  for i = 0 to Array.length a - 1 do
    sum := !sum + a.(i);
    r.(i) <- !sum
  done;
  r

let sums_of_floats (a : float array) =
  let r = Array.make (Array.length a) 0. and sum = ref 0. in
  for i = 0 to Array.length a - 1 do
    sum := !sum +. a.(i);
    r.(i) <- !sum
  done;
  r

let sorted sort a =
  let a = Array.copy a in
  sort a;
  a

let with_copy f a = f (Array.copy a)
let floats_with_copy f a = f (Float.Array.copy a)
let concat_map f a = Array.concat (Array.to_list (Array.map f a))

let deduped equal a =
  let keep i x = i = 0 || not (equal a.(i - 1) x) in
  Array.of_list (List.filteri keep (Array.to_list a))

let reversed a =
  let n = Array.length a in
  Array.init n (fun i -> a.(n - 1 - i))

let min_max cmp a =
  let least = ref a.(0) and most = ref a.(0) in
  Array.iter
    (fun x ->
      if cmp x !least < 0 then least := x;
      if cmp x !most > 0 then most := x)
    a;
  (!least, !most)

let is_sorted cmp a =
  let rec from i = i >= Array.length a || (cmp a.(i - 1) a.(i) <= 0 && from (i + 1)) in
  from 1

let merged cmp (a, b) =
  let both = Array.append a b in
  Array.stable_sort cmp both;
  both

let shuffled (a : int array) =
  let a = Array.copy a and rng = Random.State.make [| 1 |] in
  for i = Array.length a - 1 downto 1 do
    let j = Random.State.int rng (i + 1) in
    let x = a.(i) in
    a.(i) <- a.(j);
    a.(j) <- x
  done;
  a

let histogram bins f (a : int array) =
  let counts = Array.make bins 0 in
  for i = 0 to Array.length a - 1 do
    let bin = f a.(i) in
    counts.(bin) <- counts.(bin) + 1
  done;
  counts

(* By keys: a table of what is changed in place, so that an element that is not the first of its key is hashed
   once. *)

let of_table result t = Array.of_list (Hashtbl.fold (fun k v pairs -> (k, result !v) :: pairs) t [])

let reduced key value combine a =
  let t = Hashtbl.create 16 in
  let add x =
    let k = key x in
    match Hashtbl.find t k with
    | v -> v := combine !v (value x)
    | exception Not_found -> Hashtbl.add t k (ref (value x))
  in
  Array.iter add a;
  of_table Fun.id t

let grouped key a =
  let t = Hashtbl.create 16 in
  let add x =
    let k = key x in
    match Hashtbl.find t k with
    | members -> members := x :: !members
    | exception Not_found -> Hashtbl.add t k (ref [ x ])
  in
  Array.iter add a;
  of_table (fun members -> Array.of_list (List.rev members)) t

let distinct a =
  let t = Hashtbl.create 16 and first = ref [] in
  let add x =
    if not (Hashtbl.mem t x) then begin
      Hashtbl.add t x ();
      first := x :: !first
    end
  in
  Array.iter add a;
  Array.of_list (List.rev !first)

let joined key_a key_b (a, b) =
  let t = Hashtbl.create 16 in
  for i = Array.length b - 1 downto 0 do
    Hashtbl.add t (key_b b.(i)) b.(i)
  done;
  let found = ref [] in
  Array.iter
    (fun x -> List.iter (fun y -> found := (x, y) :: !found) (Hashtbl.find_all t (key_a x)))
    a;
  Array.of_list (List.rev !found)

(* Texts *)

let count_chars f s = String.fold_left (fun n c -> n + Bool.to_int (f c)) 0 s

let find sub s =
  let last = String.length s - String.length sub in
  let rec matches at i = i = String.length sub || (s.[at + i] = sub.[i] && matches at (i + 1)) in
  let rec from at = if at > last then None else if matches at 0 then Some at else from (at + 1) in
  from 0

let find_char f s =
  let rec from i = if i = String.length s then None else if f s.[i] then Some i else from (i + 1) in
  from 0

let split c s = Array.of_list (String.split_on_char c s)

let for_ n f =
  for i = 0 to n - 1 do
    f i
  done

let flops n = Array.make n 1.5
let two input n = (input n, input n)

module A = Drover.Array
module F = Drover.Float_array
module B = Drover.Bigarray1
module L = Drover.List
module T = Drover.Text
module D = Drover.Delayed

let elementwise =
  [
    row "map, ints" ~shared:1. ints (Array.map double) (A.map double);
    row "map, to strings" ints (Array.map string_of_int) (A.map string_of_int);
    row "map, floats" floats (Array.map sqrt) (A.map sqrt);
    row "map, records" records
      (Array.map (fun r -> { r with id = r.id + 1 }))
      (A.map (fun r -> { r with id = r.id + 1 }));
    row "mapi" ~shared:1. ints (Array.mapi ( + )) (A.mapi ( + ));
    row "map2" ~shared:1. (two ints)
      (fun (a, b) -> Array.map2 ( + ) a b)
      (fun (a, b) -> A.map2 ( + ) a b);
    row "map_inplace" ints (Array.map_inplace double) (A.map_inplace double);
    row "init" ~shared:1. Fun.id (fun n -> Array.init n double) (fun n -> A.init n double);
    row "iter, a hash each" ints (Array.iter hash_of) (A.iter hash_of);
    row "iteri, a hash each" ints
      (Array.iteri (fun _ x -> hash_of x))
      (A.iteri (fun _ x -> hash_of x));
    row "zip" (two ints) (fun (a, b) -> Array.combine a b) (fun (a, b) -> A.zip a b);
    row "unzip" (fun n -> Array.map (fun x -> (x, x)) (ints n)) Array.split A.unzip;
    moved "rev" ints reversed A.rev;
    moved "copy" ints Array.copy A.copy;
    moved "sub" ints (fun a -> Array.sub a 0 (Array.length a)) (fun a -> A.sub a 0 (Array.length a));
    moved "blit" (two ints)
      (fun (a, b) -> Array.blit a 0 b 0 (Array.length a))
      (fun (a, b) -> A.blit a 0 b 0 (Array.length a));
    moved "fill" ints
      (fun a -> Array.fill a 0 (Array.length a) 1)
      (fun a -> A.fill a 0 (Array.length a) 1);
    moved "concat" (fun n -> [ ints (n / 2); ints (n / 2) ]) Array.concat A.concat;
    row "concat_map" ints (concat_map twice) (A.concat_map twice);
    row "collect" ints (concat_map twice)
      (A.collect (fun x push ->
           push x;
           push (x + 1)));
  ]

let reductions =
  [
    row "reduce, max" ints (folded Fun.id Int.max 0) (A.reduce ~init:0 ~combine:Int.max Fun.id);
    row "reduce, floats" floats (folded Fun.id ( +. ) 0.) (A.reduce ~init:0. ~combine:( +. ) Fun.id);
    row "fold, records" records
      (folded (fun r -> r.weight) ( +. ) 0.)
      (A.reduce ~init:0. ~combine:( +. ) (fun r -> r.weight));
    row "fold" ints (Array.fold_left ( + ) 0) (A.fold ~make:(fun () -> 0) ~merge:( + ) ( + ));
    row "count" ints (Array.fold_left (fun n x -> n + Bool.to_int (is_even x)) 0) (A.count is_even);
    row "min_max" ints (min_max Int.compare) (A.min_max Int.compare);
    row "sum_ints" ints (Array.fold_left ( + ) 0) A.sum_ints;
    row "sum_floats" floats (Array.fold_left ( +. ) 0.) A.sum_floats;
    row "scan" ~alone:0.55 ~shared:1. ints (scanned ( + ) 0) (A.scan ~init:0 ~combine:( + ));
    row "scan_exclusive" ~alone:0.55 ~shared:1. ints (scanned ( + ) 0)
      (A.scan_exclusive ~init:0 ~combine:( + ));
    row "scan_inplace" ~alone:0.55 ~shared:1. ints
      (with_copy (scanned ( + ) 0))
      (with_copy (A.scan_inplace ~init:0 ~combine:( + )));
    row "scan_ints" ~shared:1.1 ints sums_of_ints A.scan_ints;
    row "scan_floats" ~shared:1.1 floats sums_of_floats A.scan_floats;
  ]

let searches =
  let none x = x < 0 in
  [
    row "find_opt, none" ints (Array.find_opt none) (A.find_opt none);
    row "find_index, the last" ordered
      (fun a -> Array.find_index (fun x -> x = Array.length a - 1) a)
      (fun a -> A.find_index (fun x -> x = Array.length a - 1) a);
    row "find_map, none" ints
      (Array.find_map (fun x -> if none x then Some x else None))
      (A.find_map (fun x -> if none x then Some x else None));
    row "exists, none" ints (Array.exists none) (A.exists none);
    row "for_all" ints (Array.for_all (fun x -> x >= 0)) (A.for_all (fun x -> x >= 0));
    row "mem, none" ints (Array.mem (-1)) (A.mem (-1));
    row "mem, of strings" strings (Array.mem "none") (A.mem "none");
    row "is_sorted" ordered (is_sorted Int.compare) (A.is_sorted Int.compare);
    row "filter" ints (filtered is_even) (A.filter is_even);
    row "partition" ints
      (fun a ->
        let yes, no = List.partition is_even (Array.to_list a) in
        (Array.of_list yes, Array.of_list no))
      (A.partition is_even);
    row "filter_map" ints
      (fun a -> Array.of_list (List.filter_map half_of (Array.to_list a)))
      (A.filter_map half_of);
    row "dedup" ints (deduped Int.equal) (A.dedup Int.equal);
  ]

let orders =
  [
    row "sort, ints" ints (sorted (Array.stable_sort Int.compare)) (sorted (A.sort Int.compare));
    row "sort, strings" strings
      (sorted (Array.stable_sort String.compare))
      (sorted (A.sort String.compare));
    row "stable_sort, records" records
      (sorted (Array.stable_sort by_id))
      (sorted (A.stable_sort by_id));
    row "sort_ints" ints (sorted (Array.stable_sort Int.compare)) (sorted A.sort_ints);
    row "sort_floats" floats (sorted (Array.stable_sort Float.compare)) (sorted A.sort_floats);
    row "sort_by_key" records
      (sorted (Array.stable_sort by_id))
      (sorted (A.sort_by_key (fun r -> r.id)));
    row "merge"
      (fun n -> (ordered (n / 2), ordered (n / 2)))
      (merged Int.compare)
      (fun (a, b) -> A.merge Int.compare a b);
    row "kth_smallest" ints
      (fun a -> (sorted (Array.stable_sort Int.compare) a).(Array.length a / 2))
      (fun a -> A.kth_smallest Int.compare (Array.length a / 2) a);
    (* Elements of any type go through the write barrier; and up to 131,072 are shuffled by one, as what is sent to
       parts first is moved twice, which pays only where it does not fit a cache. *)
    row "shuffle" ~alone:0.75 ~shared:0.75 ints shuffled (A.shuffle ~seed:1);
  ]

let by_keys =
  let low bits x = x land ((1 lsl bits) - 1) in
  [
    row "histogram, 256 bins" ints (histogram 256 (low 8)) (A.histogram ~bins:256 (low 8));
    row "group_by, 256 keys" ints (grouped (low 8)) (A.group_by (low 8));
    row "group_by, strings" strings (grouped Fun.id) (A.group_by Fun.id);
    row "reduce_by, strings" strings
      (reduced Fun.id (fun _ -> 1) ( + ))
      (A.reduce_by ~combine:( + ) Fun.id (fun _ -> 1));
    row "reduce_by, a key has twenty" accounts
      (reduced Fun.id (fun _ -> 1) ( + ))
      (A.reduce_by ~combine:( + ) Fun.id (fun _ -> 1));
    row "count_by, 16 keys" ints (reduced (low 4) (fun _ -> 1) ( + )) (A.count_by (low 4));
    row "distinct" ints distinct (fun a -> A.distinct a);
    row "join_by" (two ints) (joined Fun.id Fun.id) (fun (a, b) -> A.join_by Fun.id Fun.id a b);
  ]

let others =
  let sum_slice s =
    let sum = ref 0. in
    for i = 0 to Bigarray.Array1.dim s - 1 do
      sum := !sum +. Bigarray.Array1.unsafe_get (s : B.float64) i
    done;
    !sum
  in
  let ignore_float x = ignore (Sys.opaque_identity x : float) in
  [
    row "Float_array.init" Fun.id
      (fun n -> Float.Array.init n float_of_int)
      (fun n -> F.init n float_of_int);
    row "Float_array.map" floatarray (Float.Array.map sqrt) (F.map sqrt);
    row "Float_array.mapi" floatarray (Float.Array.mapi (fun _ x -> x)) (F.mapi (fun _ x -> x));
    row "Float_array.map2" (two floatarray)
      (fun (a, b) -> Float.Array.map2 ( +. ) a b)
      (fun (a, b) -> F.map2 ( +. ) a b);
    row "Float_array.map_inplace" floatarray (Float.Array.map_inplace sqrt) (F.map_inplace sqrt);
    row "Float_array.iteri" floatarray
      (Float.Array.iteri (fun _ x -> ignore_float x))
      (F.iteri (fun _ x -> ignore_float x));
    row "Float_array.reduce" floatarray
      (Float.Array.fold_left (fun acc x -> plus acc (id x)) 0.)
      (F.reduce ~init:0. ~combine:plus id);
    row "Float_array.sum" floatarray (Float.Array.fold_left ( +. ) 0.) F.sum;
    row "Float_array.scan" ~shared:1.1 floatarray
      (fun a ->
        let sum = ref 0. in
        Float.Array.map
          (fun x ->
            sum := !sum +. x;
            !sum)
          a)
      F.scan;
    row "Float_array.sort" floatarray
      (floats_with_copy (Float.Array.stable_sort Float.compare))
      (floats_with_copy F.sort);
    row "Bigarray1.init_float64" Fun.id
      (fun n -> Bigarray.(Array1.init Float64 C_layout n float_of_int))
      (fun n -> B.init_float64 n float_of_int);
    row "Bigarray1.map_float64" bigarray
      (fun a ->
        Bigarray.(Array1.init Float64 C_layout (Array1.dim a) (fun i -> sqrt (Array1.get a i))))
      (B.map_float64 sqrt);
    row "Bigarray1.sum_float64" bigarray sum_slice B.sum_float64;
    row "Bigarray1.iter_slices" bigarray
      (fun a -> ignore_float (sum_slice a))
      (B.iter_slices (fun _ s -> ignore_float (sum_slice s)));
    row "Bigarray1.reduce_slices" bigarray sum_slice
      (B.reduce_slices ~init:0. ~combine:( +. ) (fun _ s -> sum_slice s));
    moved "Bigarray1.fill" bigarray (fun a -> Bigarray.Array1.fill a 1.) (fun a -> B.fill a 1.);
    moved "Bigarray1.blit" (two bigarray)
      (fun (a, b) -> Bigarray.Array1.blit a b)
      (fun (a, b) -> B.blit a b);
  ]

let lists =
  let cheap name = row ~shared:1. name in
  [
    cheap "List.map" list (List.map double) (L.map double);
    cheap "List.mapi" list (List.mapi ( + )) (L.mapi ( + ));
    row "List.map, to strings" list (List.map string_of_int) (L.map string_of_int);
    cheap "List.iter, a hash each" list (List.iter hash_of) (L.iter hash_of);
    cheap "List.filter" list (List.filter is_even) (L.filter is_even);
    cheap "List.filter_map" list (List.filter_map half_of) (L.filter_map half_of);
    cheap "List.reduce" list
      (List.fold_left (fun acc x -> larger acc (id x)) 0)
      (L.reduce ~init:0 ~combine:larger id);
    cheap "List.fold" list (List.fold_left ( + ) 0) (L.fold ~make:(fun () -> 0) ~merge:( + ) ( + ));
    row "List.sort" list (List.stable_sort Int.compare) (L.sort Int.compare);
  ]

let texts =
  let space c = c = ' ' and longer n s = n + String.length s in
  let is_word s = s <> "" in
  [
    row "Text.count" text (count_chars space) (T.count space);
    row "Text.find_index, none" text
      (find_char (fun c -> c = 'b'))
      (T.find_index (fun c -> c = 'b'));
    row "Text.find of three, none" text (find "abc") (T.find ~sub:"abc");
    row "Text.lines" lines (split '\n') T.lines;
    row "Text.words, of 7" text
      (fun s -> Array.of_list (List.filter is_word (String.split_on_char ' ' s)))
      T.words;
    row "Text.fold_lines" lines
      (fun s -> Array.fold_left longer 0 (split '\n' s))
      (T.fold_lines ~make:(fun () -> 0) ~merge:( + ) longer);
    row "Text.fold_words" text
      (fun s -> Array.fold_left longer 0 (split ' ' s))
      (T.fold_words ~make:(fun () -> 0) ~merge:( + ) longer);
  ]

let delayed =
  [
    row "Delayed, map and reduce" ints
      (fun a -> Array.fold_left ( + ) 0 (Array.map double a))
      (fun a -> D.reduce ~init:0 ~combine:( + ) (D.map double (D.of_array a)));
    row "Delayed, filter and map" ints
      (fun a -> Array.map double (filtered is_even a))
      (fun a -> D.to_array (D.map double (D.filter is_even (D.of_array a))));
    row "Delayed, filter_map, length" ints
      (fun a -> List.length (List.filter_map half_of (Array.to_list a)))
      (fun a -> D.length (D.filter_map half_of (D.of_array a)));
    row "Delayed, mapi and zip" ints
      (fun a -> Array.map2 ( + ) (Array.mapi ( + ) a) a)
      (fun a ->
        let s = D.of_array a in
        D.to_array (D.map (fun (x, y) -> x + y) (D.zip (D.mapi ( + ) s) s)));
    row "Delayed, scan" ~alone:0.55 ~shared:1. ints
      (fun a -> Array.fold_left Int.max 0 (scanned ( + ) 0 a))
      (fun a -> D.reduce ~init:0 ~combine:Int.max (D.scan ~init:0 ~combine:( + ) (D.of_array a)));
    row "Delayed, flatten" ints
      (fun a -> Array.fold_left ( + ) 0 (concat_map twice a))
      (fun a ->
        D.reduce ~init:0 ~combine:( + )
          (D.flatten (D.map (fun x -> D.tabulate 2 (( + ) x)) (D.of_array a))));
    row "Delayed, tabulate and iter" Fun.id
      (fun n -> for_ n hash_of)
      (fun n -> D.iter hash_of (D.tabulate n Fun.id));
  ]

let loops =
  [
    row "parallel_for, one flop" flops
      (fun a -> for_ (Array.length a) (fun i -> a.(i) <- a.(i) *. 0.99))
      (fun a ->
        Drover.parallel_for ~start:0 ~finish:(Array.length a - 1) (fun i -> a.(i) <- a.(i) *. 0.99));
    row "parallel_reduce" ints
      (fun a ->
        let sum = ref 0
        and add = Sys.opaque_identity ( + )
        and get = Sys.opaque_identity Array.get in
        for i = 0 to Array.length a - 1 do
          sum := add !sum (get a i)
        done;
        !sum)
      (fun a ->
        Drover.parallel_reduce ~start:0
          ~finish:(Array.length a - 1)
          ~init:0 ~combine:( + ) (Array.get a));
  ]

let all =
  elementwise @ reductions @ searches @ orders @ by_keys @ others @ lists @ texts @ delayed @ loops
