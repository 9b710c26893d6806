(* By_key.

   Each block combines what it has of each key in a table of its own. What is in the tables is
   sent to parts by some bits of the hash, in order; each part, alone, combines what it has of
   each key. No key is in two parts, so nothing is locked. At last the keys are put in the order
   of their first elements.

   Leis, Boncz, Kemper, Neumann, "Morsel-driven parallelism" (SIGMOD 2014), section 4.4; but
   blocks depend on the elements only, and so does what is combined with what. Kernel: by-key. *)

open Key_table

(* Blocks *)

(* [note i number] is told the entry of each element. *)
let of_run t ~hash ~note key value a lo hi =
  for i = lo to hi do
    let x = Array.unsafe_get a i in
    let key = key x in
    note i (add t (id ~hash:(hashed hash key) i) key (value x))
  done

(* The caller adds, until another computes what is to be added of the rest. *)
let of_shared_run t ~hash ~note key value a lo hi =
  let n = hi - lo + 1 in
  let computed i =
    let x = Array.unsafe_get a i in
    let key = key x in
    (id ~hash:(hashed hash key) i, key, value x)
  in
  let added () first last = of_run t ~hash ~note key value a (lo + first) (lo + last)
  and rest from () = Arrays_map.init (Int.max 0 (n - from)) (fun i -> computed (lo + from + i)) in
  let (), rest = Spread.split n () added rest in
  Array.iter (fun (id, key, value) -> note (first_of id) (add t id key value)) rest

(* Seconds: what an element takes at least that is worth to be computed by another. A run of elements may
   take a few more of these, as what is cold does. *)
let worth = 5e-7
let few_more = 16

(* One fills the table, but a key may take long, and nobody knows which. A few elements are shared at once.
   Of others the caller begins alone: cheap ones, which are next to it in memory, are not worth a thief. Once
   two runs of elements have taken long, one after the other, for a thread may have been off its core, the
   rest is shared. *)
let of_block t ~hash ~note key value a lo hi =
  let run f first last =
    Scope.check ();
    f t ~hash ~note key value a first last
  in
  let rec shared first =
    if first <= hi then begin
      let last = Int.min hi (first + Spread.block - 1) in
      run of_shared_run first last;
      shared (last + 1)
    end
  and alone first ~length ~was_long =
    if first <= hi then begin
      let last = Int.min hi (first + length - 1) and began = System.now () in
      run of_run first last;
      let is_long = System.now () -. began > worth *. float (last - first + 1 + few_more) in
      if is_long && was_long then shared (last + 1)
      else
        let most = if is_long then Int.min length few_more else Spread.few in
        alone (last + 1) ~length:(Int.min most (16 * length)) ~was_long:is_long
    end
  in
  if hi - lo < Spread.tasks then shared lo else alone lo ~length:1 ~was_long:false

(* Whether few of some elements share their keys. *)
let are_many_keys ~hash ~equal key a =
  let n = Array.length a in
  let sampled = Int.min 4096 (n / 16) in
  let sample = Array.init sampled (fun i -> a.(i * (n / sampled))) in
  let t = create ~equal (fun () () -> ()) and note _ _ = () in
  of_block t ~hash ~note key ignore sample 0 (sampled - 1);
  2 * Key_table.count t > sampled

(* Up to so many are one block. *)
let few = 1024

(* How many of [n] elements are a block, but for small [n]. Few blocks, because a key may be in the table of
   each, and the fewer the more keys there are; but large ones are divided. *)
let size_of_block ~many_keys n =
  let count, longest = if many_keys then (4, 1 lsl 20) else (8, 1 lsl 17) in
  Int.min longest ((n + count - 1) / count)

let blocks ~hash ~equal key a =
  let n = Array.length a in
  let many_keys = n > few && are_many_keys ~hash ~equal key a in
  let size = if many_keys && n < 16_384 then n else size_of_block ~many_keys n in
  Blocks.divide ~least:(Int.max few size) n

(* Parts *)

(* So many that a part's table fits into a cache, too. *)
let bits n =
  let rec up bits = if bits < 8 && n lsr bits > 8192 then up (bits + 1) else bits in
  up 0

(* By bits that its place in a table does not depend on. *)
let part_of bits id = hash_of id lsr (hash_bits - bits)

(* Notes for each entry which one of its part it has become. *)
let of_part ~equal combine (e : _ entries) become lo hi =
  let t = create ~equal combine in
  for i = lo to hi - 1 do
    become.(i) <- add t e.ids.(i) e.keys.(i) e.values.(i)
  done;
  entries t

(* The entries of each part, next to each other; the place of each; and where each part starts. *)
let scatter ~parts (e : _ entries) part_of =
  let sent = { ids = Array.copy e.ids; keys = Array.copy e.keys; values = Array.copy e.values } in
  let places = Array.make (Array.length e.ids) 0 in
  let move i place =
    places.(i) <- place;
    Array.unsafe_set sent.ids place (Array.unsafe_get e.ids i);
    Array.unsafe_set sent.keys place (Array.unsafe_get e.keys i);
    Array.unsafe_set sent.values place (Array.unsafe_get e.values i)
  in
  let part i = part_of (Array.unsafe_get e.ids i) in
  let starts = Radix_sort.scatter (Array.length e.ids) parts part move in
  (sent, places, starts)

let before es =
  let counts = Array.map (fun (e : _ entries) -> Array.length e.ids) es in
  ignore (Pack.offsets counts : int);
  counts

let concat (es : _ entries array) : _ entries =
  {
    ids = Arrays_filter.concat_map (fun (e : _ entries) -> e.ids) es;
    keys = Arrays_filter.concat_map (fun (e : _ entries) -> e.keys) es;
    values = Arrays_filter.concat_map (fun (e : _ entries) -> e.values) es;
  }

(* In the order of first elements; and the rank of each entry in that. *)
let in_order (e : _ entries) =
  let order = Arrays_map.init (Array.length e.ids) Fun.id in
  Radix_sort.by_key (fun i -> first_of e.ids.(i)) order;
  let ranks = Array.make (Array.length order) 0 in
  Arrays_map.iteri (fun rank i -> ranks.(i) <- rank) order;
  let sorted a = Arrays_map.map (fun i -> a.(i)) order in
  ({ ids = sorted e.ids; keys = sorted e.keys; values = sorted e.values }, ranks)

let merge_by_parts ~equal combine (e : _ entries) bits =
  let n = Array.length e.ids in
  let parts = 1 lsl bits in
  let sent, places, starts = scatter ~parts e (part_of bits) in
  let become = Array.make n 0 in
  let part p =
    of_part ~equal combine sent become starts.(p) (if p + 1 < parts then starts.(p + 1) else n)
  in
  let of_parts = Arrays_map.init parts part in
  let before = before of_parts in
  let merged, ranks = in_order (concat of_parts) in
  (merged, fun i -> ranks.(before.(part_of bits e.ids.(i)) + become.(places.(i))))

(* A single part is in order as it is. *)
let merge ~equal combine (e : _ entries) =
  let n = Array.length e.ids in
  match bits n with
  | 0 ->
      let become = Array.make n 0 in
      let merged = of_part ~equal combine e become 0 n in
      (merged, Array.get become)
  | bits -> merge_by_parts ~equal combine e bits

let of_blocks ~hash ~equal ~note ~combine key value a (blocks : Blocks.t) =
  let of_block lo hi =
    let t = create ~equal combine in
    of_block t ~hash ~note key value a lo hi;
    entries t
  in
  if blocks.count <= 1 then [| of_block 0 (blocks.n - 1) |]
  else begin
    let all = Array.make blocks.count { ids = [||]; keys = [||]; values = [||] } in
    Blocks.iter blocks (fun b lo hi -> all.(b) <- of_block lo hi);
    all
  end

let reduce ?(hash = Hashtbl.hash) ?(equal = equal_values) ~combine key value a =
  let note _ _ = () in
  match of_blocks ~hash ~equal ~note ~combine key value a (blocks ~hash ~equal key a) with
  | [| e |] -> e
  | es -> fst (merge ~equal combine (concat es))

let pairs (e : _ entries) =
  let n = Array.length e.keys in
  let pair i = (e.keys.(i), e.values.(i)) in
  if n <= few then Array.init n pair else Arrays_map.init n pair

let reduce_by ?hash ?equal ~combine key value a = pairs (reduce ?hash ?equal ~combine key value a)
let count_by ?hash ?equal key a = reduce_by ?hash ?equal ~combine:( + ) key (fun _ -> 1) a
let distinct ?hash ?equal a = (reduce ?hash ?equal ~combine:(fun () () -> ()) Fun.id ignore a).keys

(* Of sequences *)

let add_pushed t ~hash key value iter first lo hi =
  let next = ref first in
  for block = lo to hi do
    Scope.check ();
    iter block (fun x ->
        let key = key x in
        ignore (add t (id ~hash:(hashed hash key) !next) key (value x) : int);
        incr next)
  done;
  !next

(* Nobody knows how many elements and keys will come: the first block, by itself, stands for many others. *)
let reduce_pushed ?(hash = Hashtbl.hash) ?(equal = equal_values) ~combine key value count iter =
  let add_pushed t first lo hi = add_pushed t ~hash key value iter first lo hi in
  let start = create ~equal combine and sampled = if count < 64 then 0 else 1 in
  let n = add_pushed start 0 0 (sampled - 1) in
  let of_block = Int.max 1 n and many_keys = n >= 64 && 2 * Key_table.count start > n in
  let size = size_of_block ~many_keys (of_block * count) / of_block in
  let blocks = Blocks.divide ~least:(Int.max 1 size) count in
  let ends = Array.make blocks.count 0 in
  let all = Array.make blocks.count { ids = [||]; keys = [||]; values = [||] } in
  Blocks.iter blocks (fun b lo hi ->
      let t = if b = 0 then start else create ~equal combine in
      ends.(b) <- (if b = 0 then add_pushed t n sampled hi else add_pushed t 0 lo hi);
      all.(b) <- entries t);
  ignore (Pack.offsets ends : int);
  let behind b (e : _ entries) = { e with ids = Array.map (( + ) ends.(b)) e.ids } in
  pairs
    (match all with
    | [||] -> entries start
    | [| e |] -> e
    | es -> fst (merge ~equal combine (concat (Array.mapi behind es))))
