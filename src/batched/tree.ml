(* Weight-balanced search trees in which everything is made from [join]: Blelloch, Ferizovic, Sun,
   "Just Join for Parallel Ordered Sets" (SPAA 2016), sections 3 and 4.

   The weight of a tree is one more than its size. Balanced: of two siblings, neither weighs more
   than three times the other (alpha = 1/4 in the paper, which proves it sound for 2/11 < alpha <= 1
   - 1/sqrt 2).

   A node of [nobody] never changes. A node of another owner is changed in place by the batches of
   the map that has this owner, one at a time, instead of being copied, as all on the way to a key
   would be. The map gives up its owner when it lets somebody else have the tree, which so never
   changes again.

   Others search for single keys meanwhile. What they rely on:
   - A key stays in its node. What is changed in place is the value, and the links to the parts, and
     then the keys below the node are those that were there, but for the ones operated on.
   - Other changes make new nodes ([join], [take_first]), which are seen when a link of an older one
     leads to them. Those that they replace stay as they were, for who has come there.
   So a search finds what its key was bound to at some time between its begin and its end. Links and
   values are atomic: who reads one sees the whole node, and the whole value, that was written
   there. The size is for those who have the tree to themselves. *)

(* An owner is a number above the bits of a size. When all numbers have been used, what batches make
   is nobody's: it is copied then, which is right, if slower. *)
type owner = int

let size_bits = 32
let size_mask = (1 lsl size_bits) - 1
let nobody = 0
let owners = Atomic.make 0

let create_owner () =
  let owner = 1 + Atomic.fetch_and_add owners 1 in
  if owner < 1 lsl (Sys.int_size - 1 - size_bits) then owner lsl size_bits else nobody

type ('k, 'v) t =
  | Empty
  | Node of {
      key : 'k;
      mutable mark : int; (* the owner and the size, in one word: less to copy and to fetch *)
      mutable left : ('k, 'v) t; [@atomic]
      mutable right : ('k, 'v) t; [@atomic]
      mutable value : 'v; [@atomic]
    }

let[@inline] size = function Empty -> 0 | Node n -> n.mark land size_mask
let weight t = size t + 1
let balanced a b = a <= 3 * b && b <= 3 * a

let node owner left key value right =
  Node { left; key; value; right; mark = owner lor (size left + size right + 1) }

let singleton owner key value = Node { left = Empty; key; value; right = Empty; mark = owner lor 1 }

(* [right] has become too heavy for [left], though not by more than one [join] can make it. *)
let rotate_left owner left key value right =
  match right with
  | Empty -> assert false (* too light to be too heavy *)
  | Node r -> (
      let middle = r.left and behind = r.right in
      if
        balanced (weight left) (weight middle)
        && balanced (weight left + weight middle) (weight behind)
      then node owner (node owner left key value middle) r.key r.value behind
      else
        match middle with
        | Empty -> assert false (* as above *)
        | Node m ->
            node owner
              (node owner left key value m.left)
              m.key m.value
              (node owner m.right r.key r.value behind))

let rotate_right owner left key value right =
  match left with
  | Empty -> assert false (* as above *)
  | Node l -> (
      let before = l.left and middle = l.right in
      if
        balanced (weight right) (weight middle)
        && balanced (weight right + weight middle) (weight before)
      then node owner before l.key l.value (node owner middle key value right)
      else
        match middle with
        | Empty -> assert false (* as above *)
        | Node m ->
            node owner
              (node owner before l.key l.value m.left)
              m.key m.value
              (node owner m.right key value right))

(* The keys of [left] are before [key], and those of [right] behind. O(|log (size left) - log (size
   right)|) steps. *)
let rec join owner left key value right =
  let l = weight left and r = weight right in
  if l > 3 * r then join_right owner left key value right
  else if r > 3 * l then join_left owner left key value right
  else Node { left; key; value; right; mark = owner lor (l + r - 1) }

and join_right owner left key value right =
  match left with
  | Empty -> assert false (* it weighs more than three *)
  | Node l ->
      let inner = join owner l.right key value right in
      if balanced (weight l.left) (weight inner) then node owner l.left l.key l.value inner
      else rotate_left owner l.left l.key l.value inner

and join_left owner left key value right =
  match right with
  | Empty -> assert false (* as above *)
  | Node r ->
      let inner = join owner left key value r.left in
      if balanced (weight inner) (weight r.right) then node owner inner r.key r.value r.right
      else rotate_right owner inner r.key r.value r.right

let[@inline] owns owner mark = owner <> nobody && mark land lnot size_mask = owner

(* [tree], which is not empty, with other parts, of the weights [l] and [r]. *)
let replace owner tree left l right r =
  match tree with
  | Empty -> assert false (* has no parts *)
  | Node n ->
      if not (balanced l r) then join owner left n.key n.value right
      else if left == n.left && right == n.right && l + r - 1 = size tree then tree
      else if owns owner n.mark then begin
        n.mark <- owner lor (l + r - 1);
        if left != n.left then n.left <- left;
        if right != n.right then n.right <- right;
        tree
      end
      else Node { left; key = n.key; value = n.value; right; mark = owner lor (l + r - 1) }

(* The weight of the other part is told by those on the way here, so that it needs not be read. *)
let with_left owner tree left r =
  match tree with
  | Empty -> assert false (* as above *)
  | Node n -> replace owner tree left (weight left) n.right r

let with_right owner tree l right =
  match tree with
  | Empty -> assert false (* as above *)
  | Node n -> replace owner tree n.left l right (weight right)

(* [tree], which is not empty, with another binding in its root, of an equal key. *)
let bind owner tree key value =
  match tree with
  | Empty -> assert false (* has no root *)
  | Node n ->
      if owns owner n.mark && key == n.key then begin
        n.value <- value;
        tree
      end
      else Node { left = n.left; key; value; right = n.right; mark = owner lor size tree }

(* The same in another root. *)
let copy = function Empty -> Empty | Node n -> node nobody n.left n.key n.value n.right

(* The rest is in new nodes, as a search may be on its way to the first key. *)
let rec without_first tree =
  match tree with
  | Empty -> assert false (* has no binding *)
  | Node n ->
      let left = n.left in
      if left == Empty then n.right
      else with_left nobody tree (without_first left) (size tree - size left)

(* [join] of [left] and [tree], [rest] of which is the part on the way to its first binding. *)
let rec join_rest owner left tree rest =
  match rest with
  | Empty -> left
  | Node n ->
      let before = n.left in
      if before == Empty then join owner left n.key n.value (without_first tree)
      else join_rest owner left tree before

(* [join] without a binding in the middle. *)
let join2 owner left right = join_rest owner left right right

(* Operations on one key, into new nodes: so they may run while others do, and it matters to nobody
   how far they have come when they raise. *)

(* A node of parts of the weights [l] and [r]. *)
let[@inline] put left key value right l r =
  if balanced l r then Node { left; key; value; right; mark = l + r - 1 }
  else join nobody left key value right

(* [tree], which is not empty, with [left] in the place of its part [before]. *)
let[@inline] put_left tree before left =
  match tree with
  | Empty -> assert false (* has no parts *)
  | Node n ->
      if left == before then tree
      else put left n.key n.value n.right (weight left) (size tree - size before)

let[@inline] put_right tree before right =
  match tree with
  | Empty -> assert false (* as above *)
  | Node n ->
      if right == before then tree
      else put n.left n.key n.value right (size tree - size before) (weight right)

let rec insert ~replaces cmp key value tree =
  match tree with
  | Empty -> singleton nobody key value
  | Node n ->
      let c = cmp key n.key in
      if c < 0 then
        let left = n.left in
        put_left tree left (insert ~replaces cmp key value left)
      else if c > 0 then
        let right = n.right in
        put_right tree right (insert ~replaces cmp key value right)
      else if (not replaces) || value == n.value then tree
      else bind nobody tree n.key value

let rec delete cmp key tree =
  match tree with
  | Empty -> Empty
  | Node n ->
      let c = cmp key n.key in
      if c < 0 then
        let left = n.left in
        put_left tree left (delete cmp key left)
      else if c > 0 then
        let right = n.right in
        put_right tree right (delete cmp key right)
      else join2 nobody n.left n.right

(* The binding of [key] becomes what [step] makes of it. All that may raise comes before the first
   change. *)
let rec alter owner cmp key step tree =
  match tree with
  | Empty -> ( match step None with None -> Empty | Some value -> singleton owner key value)
  | Node n -> (
      let c = cmp key n.key in
      if c < 0 then
        let r = size tree - size n.left in
        with_left owner tree (alter owner cmp key step n.left) r
      else if c > 0 then
        let l = size tree - size n.right in
        with_right owner tree l (alter owner cmp key step n.right)
      else
        let before = Some n.value in
        match step before with
        | after when after == before -> tree
        | Some value -> bind owner tree n.key value
        | None -> join2 owner n.left n.right)

let rec find cmp key = function
  | Empty -> None
  | Node n ->
      let c = cmp key n.key in
      if c = 0 then Some n.value else find cmp key (if c < 0 then n.left else n.right)

(* What is before [key], the binding of [key], and what is behind. *)
let rec split cmp key = function
  | Empty -> (Empty, None, Empty)
  | Node n ->
      let c = cmp key n.key in
      if c = 0 then (n.left, Some n.value, n.right)
      else if c < 0 then
        let before, binding, behind = split cmp key n.left in
        (before, binding, join nobody behind n.key n.value n.right)
      else
        let before, binding, behind = split cmp key n.right in
        (join nobody n.left n.key n.value before, binding, behind)

(* [binding] of [key], if there is one, between two trees. *)
let join_option owner left key binding right =
  match binding with
  | Some value -> join owner left key value right
  | None -> join2 owner left right

(* The bindings that are not behind [key]; those that are not before it. *)
let rec up_to cmp key = function
  | Empty -> Empty
  | Node n ->
      let c = cmp n.key key in
      if c > 0 then up_to cmp key n.left
      else join nobody n.left n.key n.value (up_to cmp key n.right)

let rec from cmp key = function
  | Empty -> Empty
  | Node n ->
      let c = cmp n.key key in
      if c < 0 then from cmp key n.right
      else join nobody (from cmp key n.left) n.key n.value n.right

let range cmp lo hi tree = up_to cmp hi (from cmp lo tree)
