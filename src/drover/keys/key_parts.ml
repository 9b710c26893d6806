(* Key_parts.

   1. Each block of elements sorts its entries by part: some bits of the hash of a key tell its part.
   2. Each part, alone, adds its entries, block after block, to a table of its own. No key is in two parts, so nothing
      is locked. Where an entry stood in [sent] it leaves the answer: which of the part's keys that is, and whether
      it is the first entry of it.
   3. Each block puts those that were the first back into their order. As the blocks are in order, so are all keys.

   Nothing is as long as all elements but what their blocks have, and the result: what is, one worker would have to
   make. Leis, Boncz, Kemper, Neumann, "Morsel-driven parallelism" (SIGMOD 2014), section 4.4; but blocks
   depend on the elements only, and so does what is combined with what. Kernel: by-key. *)

open Key_table

type ('k, 'v) block = {
  keys : 'k array;
  values : 'v array;
  sent : int array; (* the ids of entries by their parts, and in order in each; then the answers *)
  starts : int array; (* of each part in [sent], and the end *)
}

let none = { keys = [||]; values = [||]; sent = [||]; starts = [||] }

(* Blocks *)

(* [body scratch b] for all blocks below [count]. The scratch is [room] zeros, and of one call at a time. *)
let over_blocks count ~room body =
  let make () = Array.make room 0 and merge scratch _ = scratch in
  let step scratch b =
    body scratch b;
    scratch
  in
  ignore (Fold.fold ~start:0 ~finish:(count - 1) ~make ~merge step : int array)

(* Some for each worker, so that all have as much to do, and for tables that fit into a cache; but no more, as who makes
   a part looks at entries that lie among those of the others. The number changes no result. Kernel: by-key. *)
let bits_for entries ~keys =
  let wanted = Int.max (2 * Pool.size (Pool.ambient ())) (keys / 100_000) in
  let parts = Int.min wanted (entries / 1024) in
  let rec up bits = if bits < 8 && 1 lsl bits < parts then up (bits + 1) else bits in
  up 0

(* By bits that its place in a table does not depend on. *)
let[@inline] part_of bits hash = hash lsr (hash_bits - bits)

let send ~bits ids count keys values =
  let parts = 1 lsl bits in
  (* Until all are sent, the start of a part stands one place further on than at the end. *)
  let starts = Array.make (parts + 2) 0 and sent = Array.make count 0 in
  for k = 0 to count - 1 do
    let next = part_of bits (hash_of (Array.unsafe_get ids k)) + 2 in
    Array.unsafe_set starts next (Array.unsafe_get starts next + 1)
  done;
  for p = 2 to parts do
    starts.(p) <- starts.(p) + starts.(p - 1)
  done;
  for k = 0 to count - 1 do
    let hash = hash_of (Array.unsafe_get ids k) in
    let next = part_of bits hash + 1 in
    let place = Array.unsafe_get starts next in
    Array.unsafe_set starts next (place + 1);
    Array.unsafe_set sent place (id ~hash k)
  done;
  { keys; values; sent; starts }

let of_elements ~bits ~hash key value a scratch lo hi =
  let count = hi - lo + 1 and x = Array.unsafe_get a lo in
  let first_key = key x in
  let keys = Array.make count first_key and values = Array.make count (value x) in
  Array.unsafe_set scratch 0 (id ~hash:(hashed hash first_key) 0);
  for k = 1 to count - 1 do
    let x = Array.unsafe_get a (lo + k) in
    let key = key x in
    Array.unsafe_set scratch k (id ~hash:(hashed hash key) k);
    Array.unsafe_set keys k key;
    Array.unsafe_set values k (value x)
  done;
  send ~bits scratch count keys values

let of_table ~bits t =
  let { ids; keys; values } = wide_entries t in
  send ~bits ids (count t) keys values

(* Parts *)

type ('k, 'v) t = { blocks : ('k, 'v) block array; tables : ('k, 'v) Key_table.t array; bits : int }

(* In place of the hash, the number of the key, and a bit. *)
let[@inline] answer ~is_first number k = id ~hash:((2 * number) + Bool.to_int is_first) k
let[@inline] number_in answer = hash_of answer lsr 1
let[@inline] is_first answer = hash_of answer land 1 = 1
let[@inline] entry_in answer = first_of answer

let add_part t block ~note p =
  for place = block.starts.(p) to block.starts.(p + 1) - 1 do
    let id = Array.unsafe_get block.sent place in
    let k = first_of id and known = count t in
    let number = add t id (Array.unsafe_get block.keys k) (Array.unsafe_get block.values k) in
    Array.unsafe_set block.sent place (answer ~is_first:(number = known) number k);
    note block t number k
  done

let join ~bits ~keys ~equal ~combine ~note blocks =
  let room = 16 + ((keys + (keys / 4)) lsr bits) in
  let tables = Array.make (1 lsl bits) (create ~equal combine) in
  Loops.iter ~start:0
    ~finish:((1 lsl bits) - 1)
    (fun p ->
      let t = create ~room ~equal combine in
      Array.iter (fun block -> add_part t block ~note p) blocks;
      tables.(p) <- t);
  { blocks; tables; bits }

let find { tables; bits; _ } ~hash key = Key_table.find tables.(part_of bits hash) ~hash key

(* Keys in order *)

(* A part, and one of its keys. *)
let[@inline] pack bits part number = (number lsl bits) lor part
let[@inline] unpack bits packed = (packed land ((1 lsl bits) - 1), packed lsr bits)

let keys_of_entries { bits; _ } block keys =
  for p = 0 to (1 lsl bits) - 1 do
    for place = block.starts.(p) to block.starts.(p + 1) - 1 do
      let answer = Array.unsafe_get block.sent place in
      Array.unsafe_set keys (entry_in answer) (pack bits p (number_in answer))
    done
  done

(* [scratch] has 0 only, and so it has again. *)
let firsts_of ~bits block scratch =
  let count = ref 0 in
  for p = 0 to (1 lsl bits) - 1 do
    for place = block.starts.(p) to block.starts.(p + 1) - 1 do
      let answer = Array.unsafe_get block.sent place in
      if is_first answer then begin
        incr count;
        Array.unsafe_set scratch (entry_in answer) (1 + pack bits p (number_in answer))
      end
    done
  done;
  let firsts = Array.make !count 0 and next = ref 0 and k = ref 0 in
  while !next < !count do
    let packed = Array.unsafe_get scratch !k in
    if packed > 0 then begin
      Array.unsafe_set scratch !k 0;
      Array.unsafe_set firsts !next (packed - 1);
      incr next
    end;
    incr k
  done;
  firsts

let longest blocks = Array.fold_left (fun n b -> Int.max n (Array.length b.sent)) 0 blocks

(* [some] is the first table that has a key. *)
let results { blocks; tables; bits } f ~total ~some =
  let count = Array.length blocks in
  let firsts = Array.make count [||] in
  let find_firsts () =
    over_blocks count ~room:(longest blocks) (fun scratch b ->
        firsts.(b) <- firsts_of ~bits blocks.(b) scratch)
  in
  (* One worker makes the array, while others go on. *)
  let results, () =
    Fork_join.both (fun () -> Array.make total (f some tables.(some) 0)) find_firsts
  in
  let starts = Array.map Array.length firsts in
  ignore (Pack.offsets starts : int);
  let result packed =
    let part, number = unpack bits packed in
    f part tables.(part) number
  in
  over_blocks count ~room:0 (fun _ b ->
      let start = starts.(b) in
      Array.iteri (fun i packed -> Array.unsafe_set results (start + i) (result packed)) firsts.(b));
  results

let in_order parts f =
  let total = Array.fold_left (fun total t -> total + count t) 0 parts.tables in
  match Array.find_index (fun t -> count t > 0) parts.tables with
  | None -> [||]
  | Some some -> results parts f ~total ~some
