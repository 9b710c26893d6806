(* Hash trie: entries by the bits of their hash. A look takes some loads, and needs no lock. A slot goes

     Empty --add--> Leaf --add another hash--> Node
       ^             |
       +---remove----+

   and a Leaf gets longer and shorter by entries of the same hash, or of any where it is deepest: each step is
   one compare-and-set. *)

type ('k, 's) entry = { hash : int; key : 'k; mutable state : 's [@atomic] }

type ('k, 's) slot =
  | Empty
  | Leaf of { entry : ('k, 's) entry; others : ('k, 's) entry list }
  | Node of ('k, 's) slots

and ('k, 's) slots = ('k, 's) slot Atomic.t array

type ('k, 's) t = {
  hash : 'k -> int;
  equal : 'k -> 'k -> bool;
  deepest : int; (* shift of the nodes that get no others below them *)
  root : ('k, 's) slots;
}

let slots n = Array.init n (fun _ -> Atomic.make Empty)

let[@inline] slot slots hash shift =
  Array.unsafe_get slots ((hash lsr shift) land (Array.length slots - 1))

(* The root has 256 slots, each other node 16. *)
let below shift = shift + if shift = 0 then 8 else 4

(* Where there are slots for [bound] entries. *)
let deepest_for bound =
  let rec go shift = if 1 lsl below shift >= bound then shift else go (below shift) in
  go 0

let create ?bound ~hash ~equal () =
  let deepest = Option.fold ~none:max_int ~some:deepest_for bound in
  { hash; equal; deepest; root = slots 256 }

(* By bits that depend on all bits of the user's. Knuth, "Sorting and searching" (1973), section 6.4. *)
let[@inline] hash_of t key =
  let product = t.hash key * 0x1e3779b97f4a7c15 in
  product lxor (product lsr 32) land max_int

let[@inline] has_key t hash key (entry : _ entry) = entry.hash = hash && t.equal entry.key key

let find_among t hash key = function
  | [] -> None
  | others -> List.find_opt (has_key t hash key) others

let rec find_in t slots hash shift key =
  match Atomic.get (slot slots hash shift) with
  | Node slots -> find_in t slots hash (below shift) key
  | Leaf { entry; others } ->
      if has_key t hash key entry then Some entry else find_among t hash key others
  | Empty -> None

let find t key = find_in t t.root (hash_of t key) 0 key

let rec find_or_add_in t within hash shift key state =
  let here = slot within hash shift in
  let add before others =
    let entry = { hash; key; state } in
    if Atomic.compare_and_set here before (Leaf { entry; others }) then entry
    else find_or_add_in t within hash shift key state
  in
  match Atomic.get here with
  | Node slots -> find_or_add_in t slots hash (below shift) key state
  | Empty -> add Empty []
  | Leaf { entry; others } as before -> (
      if has_key t hash key entry then entry
      else
        match find_among t hash key others with
        | Some entry -> entry
        | None when entry.hash = hash || shift >= t.deepest -> add before (entry :: others)
        | None ->
            (* A node with this leaf alone. *)
            let lower = slots 16 in
            Atomic.set (slot lower entry.hash (below shift)) before;
            ignore (Atomic.compare_and_set here before (Node lower) : bool);
            find_or_add_in t within hash shift key state)

let find_or_add t key state = find_or_add_in t t.root (hash_of t key) 0 key state

let remove t (entry : _ entry) =
  let rec remove_in within shift =
    let here = slot within entry.hash shift in
    match Atomic.get here with
    | Node slots -> remove_in slots (below shift)
    | Empty -> ()
    | Leaf leaf as before ->
        let after =
          match List.filter (( != ) entry) (leaf.entry :: leaf.others) with
          | [] -> Empty
          | entry :: others -> Leaf { entry; others }
        in
        if not (Atomic.compare_and_set here before after) then remove_in within shift
  in
  remove_in t.root 0
