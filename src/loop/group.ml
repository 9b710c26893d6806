(* Group: elements put together by their keys, by hashing.

   Each key is hashed once. The elements are sent to parts by some bits of that (see
   [Radix_sort.scatter]); then each part, alone, finds the classes of equal keys among its elements,
   in a table of its own. No class is in two parts, so nothing is merged, and nothing locked. At last
   the classes are put in the order of their first elements, which depends neither on the parts nor
   on the hash. *)

(* Keys, and what is known of them. *)
type 'k keys = { keys : 'k array; hashes : int array; equal : 'k -> 'k -> bool }

let hashed ?(hash = Hashtbl.hash) ?(equal = fun x y -> compare x y = 0) key a =
  let keys = Arrays_map.map key a in
  { keys; hashes = Arrays_map.map (fun k -> Mix.word (hash k)) keys; equal }

(* Classes: an open table of the indices of their first elements *)

type table = {
  mutable slots : int array; (* class and 1, or 0; never more than half full *)
  mutable firsts : int array;
  mutable count : int;
}

let create_table () = { slots = Array.make 16 0; firsts = Array.make 8 0; count = 0 }

(* The slot of [key], or where it belongs. *)
let rec slot k t key hash at =
  match Array.unsafe_get t.slots at with
  | 0 -> at
  | c ->
      let first = Array.unsafe_get t.firsts (c - 1) in
      if k.hashes.(first) = hash && k.equal k.keys.(first) key then at
      else slot k t key hash ((at + 1) land (Array.length t.slots - 1))

let slot k t key hash = slot k t key hash (hash land (Array.length t.slots - 1))

(* Twice as large. Classes differ, so only their hashes count. *)
let grow k t =
  let n = 2 * Array.length t.slots in
  let slots = Array.make n 0 in
  let rec place c at =
    if slots.(at) = 0 then slots.(at) <- c + 1 else place c ((at + 1) land (n - 1))
  in
  Array.iteri (fun c first -> place c (k.hashes.(first) land (n - 1))) t.firsts;
  t.slots <- slots;
  t.firsts <- Array.append t.firsts (Array.make t.count 0)

(* The class of element [i], which may be its first. *)
let class_of k t i =
  let at = slot k t k.keys.(i) k.hashes.(i) in
  match t.slots.(at) with
  | 0 ->
      let c = t.count in
      t.slots.(at) <- c + 1;
      t.firsts.(c) <- i;
      t.count <- c + 1;
      if t.count = Array.length t.firsts then grow k t;
      c
  | c -> c - 1

(* Parts *)

(* The elements [order.(lo) .. order.(hi - 1)], and their classes. *)
type part = { order : int array; classes : int array; lo : int; hi : int; table : table }

let firsts part = Array.sub part.table.firsts 0 part.table.count

let iter f part =
  for at = part.lo to part.hi - 1 do
    f (Array.unsafe_get part.order at) (Array.unsafe_get part.classes at)
  done

(* Bits of the number of parts, so that a part's table fits into a cache. *)
let bits n =
  let rec up bits = if bits < 8 && n lsr bits > 8192 then up (bits + 1) else bits in
  up 0

let part_of bits hash = (hash lsr (Sys.int_size - 9)) land ((1 lsl bits) - 1)

let classify k part =
  for at = part.lo to part.hi - 1 do
    if at land 4095 = 0 then Scope.check ();
    part.classes.(at) <- class_of k part.table part.order.(at)
  done

let divide k =
  let n = Array.length k.keys in
  let bits = bits n in
  let count = 1 lsl bits in
  let order = Array.make n 0 and classes = Array.make n 0 in
  let starts =
    if count = 1 then begin
      Spread.light n (fun lo hi ->
          for i = lo to hi do
            order.(i) <- i
          done);
      [| 0 |]
    end
    else
      Radix_sort.scatter n count
        (fun i -> part_of bits (Array.unsafe_get k.hashes i))
        (fun i place -> Array.unsafe_set order place i)
  in
  let part p =
    let hi = if p + 1 < count then starts.(p + 1) else n in
    { order; classes; lo = starts.(p); hi; table = create_table () }
  in
  Array.init count part

(* Results *)

(* For each class, by the order of first elements: [results] has those of each part. *)
let in_order n parts results =
  let count = Array.length parts in
  if count = 1 then results.(0)
  else begin
    (* The class that begins at an element: its number in its part, and the part. *)
    let begins = Array.make n (-1) in
    Loops.iter ~start:0 ~finish:(count - 1) (fun p ->
        Array.iteri (fun c first -> begins.(first) <- (c * count) + p) (firsts parts.(p)));
    let ids = Pack.select (Pack.mark n (fun i -> begins.(i) >= 0)) true begins in
    Arrays_map.map (fun id -> results.(id land (count - 1)).(id / count)) ids
  end

(* [result part] for each part, which has found its classes. *)
let of_parts k result =
  let parts = divide k in
  let results = Array.make (Array.length parts) [||] in
  Loops.iter ~start:0
    ~finish:(Array.length parts - 1)
    (fun p ->
      classify k parts.(p);
      results.(p) <- result parts.(p));
  (parts, results)

let by ?hash ?equal key a result =
  let k = hashed ?hash ?equal key a in
  let with_key part =
    let results = result part in
    Young.mapi (fun c first -> (k.keys.(first), results.(c))) (firsts part)
  in
  let parts, results = of_parts k with_key in
  in_order (Array.length a) parts results

let counts part =
  let counts = Array.make part.table.count 0 in
  iter (fun _ c -> counts.(c) <- counts.(c) + 1) part;
  counts

let members a part =
  let counts = counts part in
  let members = Young.mapi (fun c first -> Array.make counts.(c) a.(first)) (firsts part) in
  let next = Array.make part.table.count 0 in
  iter
    (fun i c ->
      members.(c).(next.(c)) <- a.(i);
      next.(c) <- next.(c) + 1)
    part;
  members

let group_by ?hash ?equal key a = by ?hash ?equal key a (members a)

(* The second array in classes, in which the elements of the first look. *)
let join_by ?(hash = Hashtbl.hash) ?equal key_a key_b a b =
  let k = hashed ~hash ?equal key_b b in
  let parts, members = of_parts k (members b) in
  let bits = bits (Array.length b) in
  let pairs x =
    let key = key_a x in
    let hash = Mix.word (hash key) in
    let p = part_of bits hash in
    let table = parts.(p).table in
    match table.slots.(slot k table key hash) with
    | 0 -> [||]
    | c -> Young.map (fun y -> (x, y)) members.(p).(c - 1)
  in
  Arrays_move.concat_map pairs a
