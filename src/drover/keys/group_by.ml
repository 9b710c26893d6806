(* Groups. As in a counting sort, it is known how many elements each group has, and then where each element goes. *)

open Reduce_by
open Key_table

(* A key with its group, which has room for [count] elements, filled with the first. *)
let[@inline] group_for key count id a = (key, Array.make count (Array.unsafe_get a (first_of id)))

let groups_together ~hash ~equal key a =
  let n = Array.length a in
  let entry_of = Array.make n 0 in
  let note i entry = Array.unsafe_set entry_of i entry in
  let t = table ~hash ~equal ~note ~combine:( + ) key (fun _ -> 1) a in
  let { ids; keys; values } = wide_entries t in
  let groups = Array.init (count t) (fun g -> group_for keys.(g) values.(g) ids.(g) a) in
  (* From the last on, so that the counts tell where an element goes. *)
  for i = n - 1 downto 0 do
    let g = Array.unsafe_get entry_of i in
    let place = Array.unsafe_get values g - 1 in
    Array.unsafe_set values g place;
    Array.unsafe_set (snd (Array.unsafe_get groups g)) place (Array.unsafe_get a i)
  done;
  groups

(* [move place] is to call [place i entry] for each element [i], those of an entry in order, and is where that
   goes in which group. *)
let groups_of_many ~equal (e : _ entries) a move =
  (* Where the next element of each entry goes in its group: behind those of the entries before. *)
  let places = Array.make (Array.length e.ids) 0 in
  let join first i =
    places.(i) <- e.values.(first);
    e.values.(first) <- e.values.(first) + e.values.(i)
  in
  let merged = merge ~equal ~join e in
  let marks = marks merged in
  let firsts = Pack.select marks true merged.firsts and ranks = Pack.ranks marks in
  let group_at first = group_for e.keys.(first) e.values.(first) e.ids.(first) a in
  let groups = Arrays_map.map group_at firsts in
  move (fun i entry ->
      let place = places.(entry) in
      let _, members = groups.(ranks.(merged.firsts.(entry))) in
      Array.unsafe_set members place (Array.unsafe_get a i);
      places.(entry) <- place + 1);
  groups

let groups_of_blocks ~hash ~equal key a (blocks : Blocks.t) ~keys =
  let entry_of = Array.make blocks.count [||] in
  let note b lo hi =
    let of_block = Array.make (hi - lo + 1) 0 in
    entry_of.(b) <- of_block;
    fun i entry -> Array.unsafe_set of_block (i - lo) entry
  in
  let es = of_blocks ~hash ~equal ~note ~combine:( + ) key (fun _ -> 1) a blocks ~keys in
  let before = before es in
  groups_of_many ~equal (concat es) a (fun place ->
      Blocks.iter blocks (fun b lo hi ->
          let entry_of = entry_of.(b) and before = before.(b) in
          for i = lo to hi do
            place i (before + entry_of.(i - lo))
          done))

let group_by ?(hash = Hashtbl.hash) ?(equal = equal_values) key a =
  match division ~hash ~equal key a with
  | Together -> groups_together ~hash ~equal key a
  | In_blocks { blocks; keys } -> groups_of_blocks ~hash ~equal key a blocks ~keys
  | Apart ->
      let e = of_elements ~hash key (fun _ -> 1) a 0 (Array.length a - 1) in
      groups_of_many ~equal e a (fun place -> Arrays_map.iteri (fun i _ -> place i i) a)

(* The elements of the second array with a key are a ring: [next] of each is the one that follows, and of the last the
   first, so that two rings, known by their last elements, become one where they stand. *)
let link next last last_behind =
  let first = next.(last) in
  next.(last) <- next.(last_behind);
  next.(last_behind) <- first;
  last_behind

let join_by ?(hash = Hashtbl.hash) ?(equal = equal_values) key_a key_b a b =
  (* The places to be reduced, too: each is read before it is linked. *)
  let next = Array.init (Array.length b) Fun.id in
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
