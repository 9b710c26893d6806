(* Reduce_by.

   1. Few elements have one table. The caller fills it; if another comes, that computes the keys of what the caller
      has not begun.
   2. Of many, a sample tells how often a key comes. Often: each block of elements has a table of its own, so that
      there are few entries. Seldom: each element is an entry by itself.
   3. The entries of all blocks are joined ([Key_parts]). Kernel: by-key. *)

open Key_table

(* Tables *)

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

(* How to begin *)

type in_parts = { blocks : Blocks.t; have_tables : bool; keys : int; bits : int }
type division = Together | In_parts of in_parts

(* Up to so many need one table, which fits a cache. *)
let short = 16_384

(* What some of the elements tell of their keys. *)
type sample = { sampled : int; distinct : int; most : int (* with one key *) }

(* By one worker: so it is short. Not at equal distances, where keys that come in a period may all differ.
   Program: by-key. *)
let sample ~hash ~equal key a =
  let n = Array.length a in
  let sampled = Int.max 512 (Int.min 4096 (n / 1024)) in
  let distance = n / sampled in
  let some = Array.init sampled (fun i -> a.((i * distance) + ((Mix.word i lsr 8) mod distance))) in
  let note _ _ = () in
  let t = table ~hash ~equal ~note ~combine:( + ) key (fun _ -> 1) some in
  let { values; _ } = entries t in
  { sampled; distinct = count t; most = Array.fold_left Int.max 0 values }

(* How many keys there are, if each comes equally often: of [d] keys a sample of [s] finds d (1 - exp (-s/d)). Where all in
   the sample differ there may be any number of them. *)
let estimate ~sampled ~distinct =
  let part = float distinct /. float sampled in
  let found per_key = (1. -. exp (-.per_key)) /. per_key in
  let rec search least most steps =
    let middle = sqrt (least *. most) in
    if steps = 0 then middle
    else if found middle > part then search middle most (steps - 1)
    else search least middle (steps - 1)
  in
  float sampled /. search 1e-9 1e9 40

(* The table of a block is worth it where it has few entries: so a block has sixteen elements of a key; or eight, if
   there are fewer than 64 blocks. *)
let size_of_block ~keys n =
  Int.max (n / 512) (Int.max 1024 (Int.min (16 * keys) (Int.max (8 * keys) (n / 64))))

let often = 256

(* A part may have to do with a key what it has to do with so many of the elements at most: else some have tables. *)
let most_of_all = 32

(* Of so many keys one worker has a single table, where each element would be an entry: the values of a key are combined
   from left to right then, too. *)
let few_for_one = 32_768

let division ~hash ~equal key a =
  let n = Array.length a in
  if n <= short then Together
  else
    let { sampled; distinct; most } = sample ~hash ~equal key a in
    let is_heavy = most * most_of_all > sampled in
    (* Those beside the heaviest. *)
    let keys =
      if most = sampled then 1.
      else if is_heavy then 1. +. estimate ~sampled:(sampled - most) ~distinct:(distinct - 1)
      else estimate ~sampled ~distinct
    in
    let keys = Float.to_int (Float.min keys (float n)) in
    if keys * often <= n then
      let blocks = Blocks.divide ~least:(size_of_block ~keys n) n in
      In_parts
        { blocks; have_tables = true; keys; bits = Key_parts.bits_for (keys * blocks.count) ~keys }
    else if keys <= few_for_one && (not is_heavy) && Pool.size (Pool.ambient ()) = 1 then Together
    else
      let blocks = Blocks.divide ~least:(Int.max 1024 (n / 256)) n in
      In_parts { blocks; have_tables = is_heavy; keys; bits = Key_parts.bits_for n ~keys }

(* Results *)

type ('k, 'v) found = Whole of ('k, 'v) Key_table.t | Joined of ('k, 'v) Key_parts.t

let ignore_entry _ _ = ()

let of_blocks ~hash ~equal ~note ~combine key value a { blocks; have_tables; keys; bits } =
  let all = Array.make blocks.count Key_parts.none in
  let room = Int.min keys blocks.size in
  Key_parts.over_blocks blocks.count
    ~room:(if have_tables then 0 else blocks.size)
    (fun scratch b ->
      let lo = Blocks.lo blocks b and hi = Blocks.hi blocks b in
      all.(b) <-
        (if have_tables then begin
           let t = create ~room ~equal combine in
           add_run t ~hash ~note:(note b lo hi) key value a lo hi;
           Key_parts.of_table ~bits t
         end
         else Key_parts.of_elements ~bits ~hash key value a scratch lo hi));
  all

let reduce ~hash ~equal ~combine key value a =
  match division ~hash ~equal key a with
  | Together -> Whole (table ~hash ~equal ~note:ignore_entry ~combine key value a)
  | In_parts d ->
      let note _ _ _ = ignore_entry in
      let blocks = of_blocks ~hash ~equal ~note ~combine key value a d in
      Joined
        (Key_parts.join ~bits:d.bits ~keys:d.keys ~equal ~combine ~note:(fun _ _ _ _ -> ()) blocks)

let find found ~hash key =
  let hash = hashed hash key in
  match found with
  | Whole t -> Key_table.find t ~hash key
  | Joined parts -> Key_parts.find parts ~hash key

let keys = function
  | Whole t ->
      let { keys; _ } : _ entries = wide_entries t in
      if Array.length keys = Key_table.count t then keys else Array.sub keys 0 (Key_table.count t)
  | Joined parts -> Key_parts.in_order parts (fun _ t i -> key t i)

let pairs = function
  | Whole t -> Array.init (count t) (fun i -> (key t i, value t i))
  | Joined parts -> Key_parts.in_order parts (fun _ t i -> (key t i, value t i))

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
  let keys = estimate ~sampled:of_block ~distinct:(Int.max 1 (Key_table.count start)) in
  let keys = Float.to_int (Float.min keys (float n)) in
  let seldom = Int.max (n / 32) (Int.min (4 * keys) (n / 8)) in
  let size = Int.max (n / 512) (Int.min (16 * keys) seldom) in
  let least = Int.max size (Int.min 1024 (n / 32)) / of_block in
  let blocks = Blocks.divide ~least:(Int.max 1 least) count in
  if blocks.count <= 1 then begin
    ignore (add_pushed start behind (count - 1) : int);
    pairs (Whole start)
  end
  else begin
    let bits = Key_parts.bits_for (Int.min n (keys * blocks.count)) ~keys in
    let all = Array.make blocks.count Key_parts.none in
    Blocks.iter blocks (fun b lo hi ->
        let t = if b = 0 then start else create ~equal combine in
        ignore (add_pushed t (if b = 0 then behind else lo) hi : int);
        all.(b) <- Key_parts.of_table ~bits t);
    pairs (Joined (Key_parts.join ~bits ~keys ~equal ~combine ~note:(fun _ _ _ _ -> ()) all))
  end
