(* Group: [By_key] counts the elements of each key, in each block and in all; so each block knows
   where its elements go in their group, and they are all moved at once. *)

open By_key
open Key_table

(* Where the next element of each entry goes in its group. *)
let places counts groups group_of =
  let next = Array.make groups 0 in
  let place entry count =
    let group = group_of.(entry) in
    let at = next.(group) in
    next.(group) <- at + count;
    at
  in
  Array.mapi place counts

(* The groups, with room for as many as [counts], filled with one of theirs. *)
let rooms counts (e : _ entries) a =
  let room g = Array.make counts.(g) a.(first_of e.ids.(g)) in
  let n = Array.length counts in
  if n <= few then Array.init n room else Arrays_map.init n room

(* A single block: its entries are the groups. *)
let groups_of_one (e : _ entries) entry_of a =
  let members = rooms e.values e a and next = Array.make (Array.length e.ids) 0 in
  for i = 0 to Array.length a - 1 do
    let g = entry_of.(i) in
    Array.unsafe_set members.(g) next.(g) (Array.unsafe_get a i);
    next.(g) <- next.(g) + 1
  done;
  (e, members)

let groups_of_many of_blocks blocks ~equal entry_of a =
  let before = before of_blocks and e = concat of_blocks in
  let merged, group_of = merge ~equal ( + ) e in
  let group_of = Arrays_map.init (Array.length e.ids) group_of in
  let members = rooms merged.values merged a in
  let places = places e.values (Array.length members) group_of in
  Blocks.iter blocks (fun b lo hi ->
      for i = lo to hi do
        let entry = before.(b) + entry_of.(i) in
        Array.unsafe_set members.(group_of.(entry)) places.(entry) (Array.unsafe_get a i);
        places.(entry) <- places.(entry) + 1
      done);
  (merged, members)

let groups ~hash ~equal key a =
  let blocks = blocks ~hash ~equal key a in
  let entry_of = Array.make (Array.length a) 0 in
  let note i entry = Array.unsafe_set entry_of i entry in
  match of_blocks ~hash ~equal ~note ~combine:( + ) key (fun _ -> 1) a blocks with
  | [| e |] -> groups_of_one e entry_of a
  | of_blocks -> groups_of_many of_blocks blocks ~equal entry_of a

let group_by ?(hash = Hashtbl.hash) ?(equal = equal_values) key a =
  let merged, members = groups ~hash ~equal key a in
  let n = Array.length members in
  let group g = (merged.keys.(g), members.(g)) in
  if n <= few then Array.init n group else Arrays_map.init n group

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
