(* Group: [By_key] counts the elements of each key, in each block and in all; so each block knows
   where its elements go in their group, and they are all moved at once. *)

open By_key
open Key_table

(* The groups, with room for as many as [counts], filled with one of theirs. *)
let rooms counts (e : _ entries) a =
  Arrays_map.init (Array.length counts) (fun g -> Array.make counts.(g) a.(first_of e.ids.(g)))

(* A single block: its entries are the groups. *)
let groups_of_one (e : _ entries) entry_of a =
  let members = rooms e.values e a and next = Array.make (Array.length e.ids) 0 in
  for i = 0 to Array.length a - 1 do
    let g = entry_of.(i) in
    Array.unsafe_set members.(g) next.(g) (Array.unsafe_get a i);
    next.(g) <- next.(g) + 1
  done;
  (e, members)

(* [move place] is to call [place i entry] for each element [i], those of an entry in order, and is where that
   goes in which group. *)
let groups_of_many ~equal (e : _ entries) a move =
  (* Where the next element of each entry goes in its group: behind those of the entries before. *)
  let places = Array.make (Array.length e.ids) 0 in
  let join first i =
    places.(i) <- e.values.(first);
    e.values.(first) <- e.values.(first) + e.values.(i)
  in
  let merged, group_of = merge ~equal ~join e in
  let group_of = group_of () and members = rooms merged.values merged a in
  move (fun i entry ->
      let place = places.(entry) in
      Array.unsafe_set members.(group_of.(entry)) place (Array.unsafe_get a i);
      places.(entry) <- place + 1);
  (merged, members)

let groups_of_blocks ~hash ~equal key a (blocks : Blocks.t) ~keys =
  let entry_of = Array.make (Int.max 1 blocks.count) [||] in
  let note b lo hi =
    let of_block = Array.make (hi - lo + 1) 0 in
    entry_of.(b) <- of_block;
    fun i entry -> Array.unsafe_set of_block (i - lo) entry
  in
  match of_blocks ~hash ~equal ~note ~combine:( + ) key (fun _ -> 1) a blocks ~keys with
  | [| e |] -> groups_of_one e entry_of.(0) a
  | of_blocks ->
      let before = before of_blocks in
      groups_of_many ~equal (concat of_blocks) a (fun place ->
          Blocks.iter blocks (fun b lo hi ->
              let entry_of = entry_of.(b) and before = before.(b) in
              for i = lo to hi do
                place i (before + entry_of.(i - lo))
              done))

let groups ~hash ~equal key a =
  match division ~hash ~equal key a with
  | Blocks { blocks; keys } -> groups_of_blocks ~hash ~equal key a blocks ~keys
  | Elements ->
      let e = of_elements ~hash key (fun _ -> 1) a in
      groups_of_many ~equal e a (fun place -> Arrays_map.iteri (fun i _ -> place i i) a)

let group_by ?(hash = Hashtbl.hash) ?(equal = equal_values) key a =
  let merged, members = groups ~hash ~equal key a in
  let n = Array.length members in
  let group g = (merged.keys.(g), members.(g)) in
  Arrays_map.init n group

(* The second array in groups, in which the elements of the first look. *)
let join_by ?(hash = Hashtbl.hash) ?(equal = equal_values) key_a key_b a b =
  let merged, members = groups ~hash ~equal key_b b in
  let table = of_entries ~equal merged in
  let push_pairs b x =
    let key = key_a x in
    match find table ~hash:(hashed hash key) key with
    | Some g -> Array.iter (fun y -> Collect.push b (x, y)) members.(g)
    | None -> ()
  in
  Collect.over (Array.length a) (fun b lo hi ->
      for i = lo to hi do
        push_pairs b (Array.unsafe_get a i)
      done)
