(* By_key.

   Each block combines what it has of each key in a table of its own; where most keys differ, each
   element is an entry by itself. Entries are sent to parts by some bits of the hash, in order; each
   part, alone, finds the first entry of each key, and joins the others to it. No key is in two
   parts, so nothing is locked. Entries stand in the order of their first elements, so at last those
   that were first are picked.

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

(* Up to so many need one table. *)
let few = 1024

(* What a few of the elements tell of their keys. *)
type sample = { sampled : int; distinct : int }

(* By one worker: so it is short. Not at equal distances, where keys that come in a period may all differ.
   Program: by-key. *)
let sample ~hash ~equal key a =
  let n = Array.length a in
  let sampled = Int.min 4096 (Int.max 64 (n / 64)) in
  let distance = n / sampled in
  let some = Array.init sampled (fun i -> a.((i * distance) + ((Mix.word i lsr 8) mod distance))) in
  let t = create ~equal (fun () () -> ()) and note _ _ = () in
  of_block t ~hash ~note key ignore some 0 (sampled - 1);
  { sampled; distinct = Key_table.count t }

(* Whether the keys of [n] elements have less than four each: then there are so few pairs in a sample
   (the birthday paradox). *)
let differ { sampled; distinct } n = (sampled - distinct) * n < 2 * sampled * sampled

(* The keys of a block with no more elements are not worth a table of its own. *)
let shortest = 2 * few

(* A key may be in the table of each block, and each time takes as long to merge as several elements: so a
   block has 32 elements of a key, where that leaves a few blocks. *)
let size_of_block { sampled; distinct } n =
  let fewest = if 2 * distinct > sampled then 4 else 8 in
  Int.max (n / 512) (Int.min (32 * distinct) (n / fewest))

type division = Blocks of { blocks : Blocks.t; keys : int } | Elements

let division ~hash ~equal key a =
  let n = Array.length a in
  if n <= few then Blocks { blocks = Blocks.divide ~least:few n; keys = 16 }
  else
    let sample = sample ~hash ~equal key a in
    let is_long = n >= 16_384 and are_many = 2 * sample.distinct > sample.sampled in
    if is_long && differ sample n then Elements
    else
      let least =
        if is_long || not are_many then Int.max shortest (size_of_block sample n) else n
      in
      Blocks { blocks = Blocks.divide ~least n; keys = sample.distinct + (sample.distinct / 2) }

(* Parts *)

(* So many that a part's table fits into a cache, too. *)
let bits n =
  let rec up bits = if bits < 8 && n lsr bits > 1024 then up (bits + 1) else bits in
  up 0

(* By bits that its place in a table does not depend on. *)
let part_of bits id = hash_of id lsr (hash_bits - bits)

(* The first with its key, for each of [count] entries: [nth 0] and so on. *)
let find_firsts ~equal ~join e firsts count nth =
  let t = over ~equal e count in
  for k = 0 to count - 1 do
    let i = nth k in
    let first = first_like t i in
    firsts.(i) <- first;
    if first <> i then join first i
  done

let find_firsts_by_parts ~equal ~join (e : _ entries) firsts bits =
  let n = Array.length e.ids in
  let parts = 1 lsl bits in
  let sent = Array.make n 0 in
  let starts =
    Radix_sort.scatter n parts (fun i -> part_of bits e.ids.(i)) (fun i place -> sent.(place) <- i)
  in
  Loops.iter ~start:0 ~finish:(parts - 1) (fun p ->
      let start = starts.(p) in
      let stop = if p + 1 < parts then starts.(p + 1) else n in
      find_firsts ~equal ~join e firsts (stop - start) (fun k -> sent.(start + k)))

(* The entries stand in the order of their first elements; so do those that are the first of their key. *)
let merge ~equal ~join (e : _ entries) =
  let n = Array.length e.ids in
  let firsts = Array.make n 0 in
  (match bits n with
  | 0 -> find_firsts ~equal ~join e firsts n Fun.id
  | bits -> find_firsts_by_parts ~equal ~join e firsts bits);
  let marks = Pack.mark_places n (fun i -> firsts.(i) = i) in
  let of_firsts a = Pack.select marks true a in
  let merged = { ids = of_firsts e.ids; keys = of_firsts e.keys; values = of_firsts e.values } in
  let of_each () =
    let ranks = Pack.ranks marks in
    Arrays_map.map (fun first -> ranks.(first)) firsts
  in
  (merged, of_each)

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

let of_blocks ~hash ~equal ~note ~combine key value a (blocks : Blocks.t) ~keys =
  let of_block b lo hi =
    let t = create ~room:keys ~equal combine in
    of_block t ~hash ~note:(note b lo hi) key value a lo hi;
    entries t
  in
  if blocks.count <= 1 then [| of_block 0 0 (blocks.n - 1) |]
  else begin
    let all = Array.make blocks.count { ids = [||]; keys = [||]; values = [||] } in
    Blocks.iter blocks (fun b lo hi -> all.(b) <- of_block b lo hi);
    all
  end

let of_elements ~hash key value a =
  let ids = Array.make (Array.length a) 0 in
  let key_of i x =
    let key = key x in
    ids.(i) <- id ~hash:(hashed hash key) i;
    key
  in
  let keys = Arrays_map.mapi key_of a in
  { ids; keys; values = Arrays_map.map value a }

let merge_values ~equal combine (e : _ entries) =
  let join first i = e.values.(first) <- combine e.values.(first) e.values.(i) in
  fst (merge ~equal ~join e)

let reduce ?(hash = Hashtbl.hash) ?(equal = equal_values) ~combine key value a =
  match division ~hash ~equal key a with
  | Elements -> merge_values ~equal combine (of_elements ~hash key value a)
  | Blocks { blocks; keys } -> (
      let note _ _ _ = fun _ _ -> () in
      match of_blocks ~hash ~equal ~note ~combine key value a blocks ~keys with
      | [| e |] -> e
      | es -> merge_values ~equal combine (concat es))

let pairs (e : _ entries) =
  let n = Array.length e.keys in
  let pair i = (e.keys.(i), e.values.(i)) in
  if n <= few then Array.init n pair else Arrays_map.init n pair

let reduce_by ?hash ?equal ~combine key value a = pairs (reduce ?hash ?equal ~combine key value a)
let count_by ?hash ?equal key a = reduce_by ?hash ?equal ~combine:( + ) key (fun _ -> 1) a
let distinct ?hash ?equal a = (reduce ?hash ?equal ~combine:(fun () () -> ()) Fun.id ignore a).keys

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
  let size = size_of_block { sampled; distinct = Key_table.count start } n in
  let least = Int.max size (Int.min few (n / 32)) / of_block in
  let blocks = Blocks.divide ~least:(Int.max 1 least) count in
  let all = Array.make blocks.count { ids = [||]; keys = [||]; values = [||] } in
  Blocks.iter blocks (fun b lo hi ->
      let t = if b = 0 then start else create ~equal combine in
      ignore (add_pushed t (if b = 0 then behind else lo) hi : int);
      all.(b) <- entries t);
  pairs
    (match all with
    | [||] -> entries start
    | [| e |] -> e
    | es -> merge_values ~equal combine (concat es))
