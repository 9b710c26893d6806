(* Groups. As in a counting sort, it is known how many elements each group has, and then where each element goes. *)

open Reduce_by
open Key_table

(* With room for [count] elements of [a]. *)
let[@inline] group_for a count = Array.make count (Array.unsafe_get a 0)

let groups_together ~hash ~equal key a =
  let n = Array.length a in
  let entry_of = Array.make n 0 in
  let note i entry = Array.unsafe_set entry_of i entry in
  let t = table ~hash ~equal ~note ~combine:( + ) key (fun _ -> 1) a in
  let { values; _ } : _ entries = wide_entries t in
  let groups = Array.init (count t) (fun g -> (Key_table.key t g, group_for a (value t g))) in
  (* From the last on, so that the counts tell where an element goes. *)
  for i = n - 1 downto 0 do
    let g = Array.unsafe_get entry_of i in
    let place = Array.unsafe_get values g - 1 in
    Array.unsafe_set values g place;
    Array.unsafe_set (snd (Array.unsafe_get groups g)) place (Array.unsafe_get a i)
  done;
  groups

let groups_in_parts ~hash ~equal key a (d : in_parts) =
  let { blocks; bits; _ } = d in
  let entries = Array.make blocks.count [||] in
  let note b lo hi =
    let of_block = Array.make (hi - lo + 1) 0 in
    entries.(b) <- of_block;
    fun i entry -> Array.unsafe_set of_block (i - lo) entry
  in
  let sent = of_blocks ~hash ~equal ~note ~combine:( + ) key (fun _ -> 1) a d in
  (* Of an entry, how many elements it has; and then where the next of them goes in its group. *)
  let place (block : _ Key_parts.block) t number entry =
    block.values.(entry) <- value t number - block.values.(entry)
  in
  let parts = Key_parts.join ~bits ~keys:d.keys ~equal ~combine:( + ) ~note:place sent in
  let group t number = group_for a (value t number) in
  let groups = Array.make (1 lsl bits) [||] in
  Loops.iter ~start:0
    ~finish:((1 lsl bits) - 1)
    (fun p ->
      let t = parts.tables.(p) in
      groups.(p) <- Array.init (count t) (group t));
  Key_parts.over_blocks blocks.count ~room:blocks.size (fun keys b ->
      let block = sent.(b) and entries = entries.(b) and lo = Blocks.lo blocks b in
      Key_parts.keys_of_entries parts block keys;
      for i = lo to Blocks.hi blocks b do
        let entry = if d.have_tables then Array.unsafe_get entries (i - lo) else i - lo in
        let part, number = Key_parts.unpack bits (Array.unsafe_get keys entry) in
        let place = Array.unsafe_get block.values entry in
        Array.unsafe_set block.values entry (place + 1);
        Array.unsafe_set groups.(part).(number) place (Array.unsafe_get a i)
      done);
  Key_parts.in_order parts (fun part t number -> (Key_table.key t number, groups.(part).(number)))

let group_by ?(hash = Hashtbl.hash) ?(equal = equal_values) key a =
  match division ~hash ~equal key a with
  | Together -> groups_together ~hash ~equal key a
  | In_parts d -> groups_in_parts ~hash ~equal key a d

(* The elements of the second array with a key are a ring: [next] of each is the one that follows, and of the last the
   first, so that two rings, known by their last elements, become one where they stand. *)
let link next last last_behind =
  let first = next.(last) in
  next.(last) <- next.(last_behind);
  next.(last_behind) <- first;
  last_behind

let join_by ?(hash = Hashtbl.hash) ?(equal = equal_values) key_a key_b a b =
  (* The places to be reduced, too: each is read before it is linked. *)
  let n = Array.length b in
  let next = Array.make n 0 in
  Spread.light n (fun lo hi ->
      for i = lo to hi do
        Array.unsafe_set next i i
      done);
  let key_at i = key_b (Array.unsafe_get b i) in
  let rings = reduce ~hash ~equal ~combine:(link next) key_at Fun.id next in
  let rec push_ring found x i last =
    Collect.push found (x, Array.unsafe_get b i);
    if i <> last then push_ring found x next.(i) last
  in
  Collect.over (Array.length a) (fun found lo hi ->
      for i = lo to hi do
        let x = Array.unsafe_get a i in
        match Reduce_by.find rings ~hash (key_a x) with
        | Some last -> push_ring found x next.(last) last
        | None -> ()
      done)
