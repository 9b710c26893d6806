(* By_key: reductions by keys, by hashing.

   Each block combines what it has of each key in a small table, which fits into a cache: where keys
   are few or come in runs, that is nearly all the work. A table that is full is given away, and
   begins anew. What the blocks gave away is sent to parts by some bits of the hash, in order; each
   part, alone, combines what it has of each key. No key is in two parts, so nothing is locked. At
   last the keys are put in the order of their first elements.

   Leis, Boncz, Kemper, Neumann, "Morsel-driven parallelism" (SIGMOD 2014), section 4.4; but blocks
   depend on the number of elements only, and so does what is combined with what. Kernel: by-key. *)

type ('k, 'v) entry = { key : 'k; hash : int; first : int; mutable value : 'v }

(* Tables: open ones, of numbers of entries. *)

type ('k, 'v) table = {
  equal : 'k -> 'k -> bool;
  entries : ('k, 'v) entry Dynarray.t;
  mutable slots : int array; (* number and 1, or 0; never more than half full *)
  mutable from : int; (* the entries before are in no slot any more *)
}

let create_table equal slots =
  { equal; entries = Dynarray.create (); slots = Array.make slots 0; from = 0 }

(* The slot of [key], or where it belongs. *)
let rec slot t key hash at =
  match Array.unsafe_get t.slots at with
  | 0 -> at
  | number ->
      let e = Dynarray.get t.entries (number - 1) in
      if e.hash = hash && t.equal e.key key then at
      else slot t key hash ((at + 1) land (Array.length t.slots - 1))

let[@inline] slot t key hash = slot t key hash (hash land (Array.length t.slots - 1))
let is_half_full t = 2 * (Dynarray.length t.entries - t.from) >= Array.length t.slots

let add t entry at =
  Dynarray.add_last t.entries entry;
  t.slots.(at) <- Dynarray.length t.entries

let give_away t =
  Array.fill t.slots 0 (Array.length t.slots) 0;
  t.from <- Dynarray.length t.entries

let grow t =
  t.slots <- Array.make (2 * Array.length t.slots) 0;
  for number = t.from to Dynarray.length t.entries - 1 do
    let e = Dynarray.get t.entries number in
    t.slots.(slot t e.key e.hash) <- number + 1
  done

(* Blocks *)

(* A block's table is in a cache that no other core uses. *)
let small = 4096

(* At most 64, so that few keys are few entries. *)
let blocks n = Blocks.divide ~least:(Int.max Blocks.light ((n + 63) / 64)) n

let of_block ~hash ~equal key value combine a lo hi =
  let t = create_table equal small in
  for i = lo to hi do
    let x = Array.unsafe_get a i in
    let key = key x in
    let hash = Mix.word (hash key) in
    let at = slot t key hash in
    match t.slots.(at) with
    | 0 ->
        add t { key; hash; first = i; value = value x } at;
        if is_half_full t then give_away t
    | number ->
        let e = Dynarray.get t.entries (number - 1) in
        e.value <- combine e.value (value x)
  done;
  t.entries

(* Parts *)

(* So many that a part's table fits into a cache, too. *)
let bits n =
  let rec up bits = if bits < 8 && n lsr bits > 8192 then up (bits + 1) else bits in
  up 0

(* By bits that its place in a table does not depend on. *)
let part_of bits hash = (hash lsr (Sys.int_size - 9)) land ((1 lsl bits) - 1)

let of_part ~equal combine entries lo hi =
  let t = create_table equal 16 in
  for i = lo to hi - 1 do
    let e = Array.unsafe_get entries i in
    let at = slot t e.key e.hash in
    match t.slots.(at) with
    | 0 ->
        add t e at;
        if is_half_full t then grow t
    | number ->
        let before = Dynarray.get t.entries (number - 1) in
        before.value <- combine before.value e.value
  done;
  Dynarray.to_array t.entries

(* [entries] are in the order of their first elements, and so are those of the result. *)
let merge ~equal combine entries =
  let n = Array.length entries in
  let bits = bits n in
  if bits = 0 then of_part ~equal combine entries 0 n
  else begin
    let parts = 1 lsl bits in
    let sent = Array.copy entries in
    let starts =
      Radix_sort.scatter n parts
        (fun i -> part_of bits (Array.unsafe_get entries i).hash)
        (fun i place -> Array.unsafe_set sent place (Array.unsafe_get entries i))
    in
    let part p =
      let hi = if p + 1 < parts then starts.(p + 1) else n in
      of_part ~equal combine sent starts.(p) hi
    in
    let merged = Arrays_move.concat_map part (Array.init parts Fun.id) in
    Radix_sort.by_key (fun e -> e.first) merged;
    merged
  end

let entries ?(hash = Hashtbl.hash) ?(equal = fun x y -> compare x y = 0) key value combine a =
  let blocks = blocks (Array.length a) in
  let of_blocks = Array.make blocks.count (Dynarray.create ()) in
  Blocks.iter blocks (fun b lo hi ->
      of_blocks.(b) <- of_block ~hash ~equal key value combine a lo hi);
  if blocks.count = 1 then
    of_part ~equal combine (Dynarray.to_array of_blocks.(0)) 0 (Dynarray.length of_blocks.(0))
  else merge ~equal combine (Arrays_move.concat_map Dynarray.to_array of_blocks)

let reduce_by ?hash ?equal key value combine a =
  Arrays_map.map (fun e -> (e.key, e.value)) (entries ?hash ?equal key value combine a)

let count_by ?hash ?equal key a = reduce_by ?hash ?equal key (fun _ -> 1) ( + ) a

let distinct ?hash ?equal a =
  Arrays_map.map (fun e -> a.(e.first)) (entries ?hash ?equal Fun.id ignore (fun () () -> ()) a)
