(* Reduce_by.

   1. Few elements have one table. The caller fills it; if another comes, that computes the keys of what the caller
      has not begun.
   2. Of many, a sample tells how often a key comes. Often: each block of elements has a table of its own, so that
      there are few entries. Seldom: each element is an entry by itself.
   3. Entries are sent to parts by some bits of the hash, in order; each part, alone, finds the first entry of each
      key, and joins the others to it. No key is in two parts, so nothing is locked.
   4. Entries stand in the order of their first elements, so at last those that were first are picked.

   Leis, Boncz, Kemper, Neumann, "Morsel-driven parallelism" (SIGMOD 2014), section 4.4; but
   blocks depend on the elements only, and so does what is combined with what. Kernel: by-key. *)

open Key_table

(* Tables *)

let of_elements ~hash key value a lo hi =
  let n = hi - lo + 1 in
  let ids = Array.make n 0 in
  let key_of k =
    let key = key (Array.unsafe_get a (lo + k)) in
    Array.unsafe_set ids k (id ~hash:(hashed hash key) (lo + k));
    key
  in
  let keys = Arrays_map.init n key_of in
  { ids; keys; values = Arrays_map.init n (fun k -> value (Array.unsafe_get a (lo + k))) }

(* [note i number] is told the entry of each element. *)
let add_run t ~hash ~note key value a lo hi =
  for i = lo to hi do
    let x = Array.unsafe_get a i in
    let key = key x in
    note i (add t (id ~hash:(hashed hash key) i) key (value x))
  done

(* What is to be added, in one pass: after one that is short, for the keys, a worker might keep to itself what another is
   for, for the values. *)
let computed ~hash key value a lo hi =
  let compute k =
    let x = Array.unsafe_get a (lo + k) in
    let key = key x in
    (id ~hash:(hashed hash key) (lo + k), key, value x)
  in
  Arrays_map.init (hi - lo + 1) compute

(* One fills the table, but a key may take long. *)
let rec add_shared t ~hash ~note key value a lo hi =
  if lo <= hi then begin
    let last = Int.min hi (lo + Spread.block - 1) in
    let n = last - lo + 1 in
    let step () first upto = add_run t ~hash ~note key value a (lo + first) (lo + upto)
    and rest from () = if from < n then computed ~hash key value a (lo + from) last else [||] in
    let (), computed = Spread.split n () step rest in
    Array.iter (fun (id, key, value) -> note (first_of id) (add t id key value)) computed;
    if last < hi then Scope.check ();
    add_shared t ~hash ~note key value a (last + 1) hi
  end

let table ~hash ~equal ~note ~combine key value a =
  let t = create ~equal combine in
  add_shared t ~hash ~note key value a 0 (Array.length a - 1);
  t

let of_blocks ~hash ~equal ~note ~combine key value a (blocks : Blocks.t) ~keys =
  let all = Array.make blocks.count { ids = [||]; keys = [||]; values = [||] } in
  Blocks.iter blocks (fun b lo hi ->
      let t = create ~room:keys ~equal combine in
      add_run t ~hash ~note:(note b lo hi) key value a lo hi;
      all.(b) <- entries t);
  all

(* How to begin *)

type division = Together | In_blocks of { blocks : Blocks.t; keys : int } | Apart

(* Up to so many need one table, which fits a cache. *)
let short = 16_384

(* What a few of the elements tell of their keys. *)
type sample = { sampled : int; distinct : int }

(* By one worker: so it is short. Not at equal distances, where keys that come in a period may all differ.
   Program: by-key. *)
let sample ~hash ~equal key a =
  let n = Array.length a in
  let sampled = Int.min 4096 (n / 64) in
  let distance = n / sampled in
  let some = Array.init sampled (fun i -> a.((i * distance) + ((Mix.word i lsr 8) mod distance))) in
  let t = table ~hash ~equal ~note:(fun _ _ -> ()) ~combine:(fun () () -> ()) key ignore some in
  { sampled; distinct = Key_table.count t }

(* How many keys there are, if each comes equally often: of [d] keys a sample of [s] finds d (1 - exp (-s/d)). Where all in
   the sample differ there may be any number of them. *)
let estimate { sampled; distinct } =
  let part = float distinct /. float sampled in
  let found per_key = (1. -. exp (-.per_key)) /. per_key in
  let rec search least most steps =
    let middle = sqrt (least *. most) in
    if steps = 0 then middle
    else if found middle > part then search middle most (steps - 1)
    else search least middle (steps - 1)
  in
  float sampled /. search 1e-9 1e9 40

(* A key may be in the table of each block, and each time takes as long to merge as several elements: so a block has 32
   elements of a key, where that leaves some blocks, and four at least. *)
let size_of_block ~keys n =
  let elements each = if keys < float n then each * Float.to_int keys else n in
  Int.max (n / 512) (Int.max (elements 4) (Int.min (elements 32) (n / 16)))

(* If keys come seldom, the tables of blocks are too long, or blocks too few. Program: by-key. *)
let seldom = 12.

let division ~hash ~equal key a =
  let n = Array.length a in
  if n <= short then Together
  else
    let keys = estimate (sample ~hash ~equal key a) in
    if keys *. seldom > float n then Apart
    else
      let size = size_of_block ~keys n in
      In_blocks
        { blocks = Blocks.divide ~least:(Int.max (short / 8) size) n; keys = Float.to_int keys }

(* Parts *)

(* So many that a part's table fits into a cache, too. *)
let bits n =
  let rec up bits = if bits < 8 && n lsr bits > 1024 then up (bits + 1) else bits in
  up 0

(* By bits that its place in a table does not depend on. *)
let[@inline] part_of bits hash = hash lsr (hash_bits - bits)

type ('k, 'v) merged = {
  all : ('k, 'v) entries;
  firsts : int array;
  bits : int;
  tables : ('k, 'v) Key_table.t array;
}

(* The first with its key, for each of [count] entries: [nth 0] and so on, each below its hash. *)
let find_firsts ~equal ~join e firsts count nth =
  let t = over ~equal e count in
  for k = 0 to count - 1 do
    let id = nth k in
    let i = first_of id in
    let first = first_like t ~hash:(hash_of id) i in
    Array.unsafe_set firsts i first;
    if first <> i then join first i
  done;
  t

let merge ~equal ~join (e : _ entries) =
  let n = Array.length e.ids in
  let firsts = Array.make n 0 and bits = bits n in
  let below_hash i = id ~hash:(hash_of e.ids.(i)) i in
  let tables =
    if bits = 0 then [| find_firsts ~equal ~join e firsts n below_hash |]
    else begin
      let parts = 1 lsl bits and sent = Array.make n 0 in
      let starts =
        Radix_sort.scatter n parts
          (fun i -> part_of bits (hash_of (Array.unsafe_get e.ids i)))
          (fun i place -> Array.unsafe_set sent place (below_hash i))
      in
      Arrays_map.init parts (fun p ->
          let start = starts.(p) in
          let stop = if p + 1 < parts then starts.(p + 1) else n in
          find_firsts ~equal ~join e firsts (stop - start) (fun k ->
              Array.unsafe_get sent (start + k)))
    end
  in
  { all = e; firsts; bits; tables }

(* The entries stand in the order of their first elements; so do those that are the first of their key. *)
let marks { firsts; _ } = Pack.mark_places (Array.length firsts) (fun i -> firsts.(i) = i)

let before es =
  let counts = Array.map (fun (e : _ entries) -> Array.length e.ids) es in
  ignore (Pack.offsets counts : int);
  counts

let concat (es : _ entries array) : _ entries =
  {
    ids = Arrays_move.concat_all (Array.map (fun (e : _ entries) -> e.ids) es);
    keys = Arrays_move.concat_all (Array.map (fun (e : _ entries) -> e.keys) es);
    values = Arrays_move.concat_all (Array.map (fun (e : _ entries) -> e.values) es);
  }

(* Results *)

(* Of the table of all, or of entries of which some are to be joined. *)
type ('k, 'v) found = Whole of ('k, 'v) Key_table.t | Merged of ('k, 'v) merged

let merge_values ~equal combine (e : _ entries) =
  let join first i = e.values.(first) <- combine e.values.(first) e.values.(i) in
  Merged (merge ~equal ~join e)

let reduce ~hash ~equal ~combine key value a =
  match division ~hash ~equal key a with
  | Together -> Whole (table ~hash ~equal ~note:(fun _ _ -> ()) ~combine key value a)
  | Apart -> merge_values ~equal combine (of_elements ~hash key value a 0 (Array.length a - 1))
  | In_blocks { blocks; keys } ->
      let note _ _ _ = fun _ _ -> () in
      merge_values ~equal combine
        (concat (of_blocks ~hash ~equal ~note ~combine key value a blocks ~keys))

let find found ~hash key =
  let hash = hashed hash key in
  match found with
  | Whole t -> Key_table.find t ~hash key
  | Merged { tables; bits; _ } -> Key_table.find tables.(part_of bits hash) ~hash key

let keys = function
  | Whole t ->
      let { keys; _ } : _ entries = wide_entries t in
      if Array.length keys = Key_table.count t then keys else Array.sub keys 0 (Key_table.count t)
  | Merged m -> Pack.select (marks m) true m.all.keys

let pairs = function
  | Whole t ->
      let { keys; values; _ } : _ entries = wide_entries t in
      Array.init (Key_table.count t) (fun i -> (keys.(i), values.(i)))
  | Merged m ->
      let marks = marks m in
      let keys = Pack.select marks true m.all.keys
      and values = Pack.select marks true m.all.values in
      Arrays_map.init (Array.length keys) (fun i -> (keys.(i), values.(i)))

let reduce_by ?(hash = Hashtbl.hash) ?(equal = equal_values) ~combine key value a =
  pairs (reduce ~hash ~equal ~combine key value a)

let count_by ?hash ?equal key a = reduce_by ?hash ?equal ~combine:( + ) key (fun _ -> 1) a

let distinct ?(hash = Hashtbl.hash) ?(equal = equal_values) a =
  keys (reduce ~hash ~equal ~combine:(fun () () -> ()) Fun.id ignore a)

(* Of sequences *)

let add_pushed t ~hash key value iter lo hi =
  let n = ref 0 in
  for block = lo to hi do
    Scope.check ();
    iter block (fun x ->
        let key = key x in
        ignore (add t (id ~hash:(hashed hash key) 0) key (value x) : int);
        incr n)
  done;
  !n

(* Nobody knows how many elements and keys will come, nor what they take: the first block, by itself, stands
   for many others. *)
let reduce_pushed ?(hash = Hashtbl.hash) ?(equal = equal_values) ~combine key value count iter =
  let add_pushed t lo hi = add_pushed t ~hash key value iter lo hi in
  let start = create ~equal combine and behind = if count < 64 then 0 else 1 in
  let sampled = add_pushed start 0 (behind - 1) in
  let of_block = Int.max 1 sampled in
  let n = of_block * count in
  let keys = estimate { sampled = of_block; distinct = Int.max 1 (Key_table.count start) } in
  let size = size_of_block ~keys n in
  let least = Int.max size (Int.min 1024 (n / 32)) / of_block in
  let blocks = Blocks.divide ~least:(Int.max 1 least) count in
  if blocks.count <= 1 then begin
    ignore (add_pushed start behind (count - 1) : int);
    pairs (Whole start)
  end
  else begin
    let all = Array.make blocks.count { ids = [||]; keys = [||]; values = [||] } in
    Blocks.iter blocks (fun b lo hi ->
        let t = if b = 0 then start else create ~equal combine in
        ignore (add_pushed t (if b = 0 then behind else lo) hi : int);
        all.(b) <- entries t);
    pairs (merge_values ~equal combine (concat all))
  end
