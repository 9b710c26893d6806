(* Weight-balanced search trees, persistent, in which everything is made from [join]: Blelloch,
   Ferizovic, Sun, "Just Join for Parallel Ordered Sets" (SPAA 2016), sections 3 and 4.

   The weight of a tree is one more than its size. Balanced: of two siblings, neither weighs more
   than three times the other (alpha = 1/4 in the paper, which proves it sound for 2/11 < alpha <= 1
   - 1/sqrt 2).

   A comparison that raises leaves no trace: nothing is ever changed in place. *)

type ('k, 'v) t =
  | Empty
  | Node of { left : ('k, 'v) t; key : 'k; value : 'v; right : ('k, 'v) t; size : int }

let size = function Empty -> 0 | Node n -> n.size
let weight t = size t + 1
let balanced a b = a <= 3 * b && b <= 3 * a
let node left key value right = Node { left; key; value; right; size = size left + size right + 1 }
let singleton key value = Node { left = Empty; key; value; right = Empty; size = 1 }

(* [right] has become too heavy for [left], though not by more than one [join] can make it. *)
let rotate_left left key value right =
  match right with
  | Node r
    when balanced (weight left) (weight r.left)
         && balanced (weight left + weight r.left) (weight r.right) ->
      node (node left key value r.left) r.key r.value r.right
  | Node ({ left = Node m; _ } as r) ->
      node (node left key value m.left) m.key m.value (node m.right r.key r.value r.right)
  | Empty | Node { left = Empty; _ } -> assert false (* too light to be too heavy *)

let rotate_right left key value right =
  match left with
  | Node l
    when balanced (weight right) (weight l.right)
         && balanced (weight right + weight l.right) (weight l.left) ->
      node l.left l.key l.value (node l.right key value right)
  | Node ({ right = Node m; _ } as l) ->
      node (node l.left l.key l.value m.left) m.key m.value (node m.right key value right)
  | Empty | Node { right = Empty; _ } -> assert false (* as above *)

(* The keys of [left] are before [key], and those of [right] behind. O(|log (size left) - log (size
   right)|) steps. *)
let rec join left key value right =
  let l = weight left and r = weight right in
  if l > 3 * r then join_right left key value right
  else if r > 3 * l then join_left left key value right
  else Node { left; key; value; right; size = l + r - 1 }

and join_right left key value right =
  match left with
  | Empty -> assert false (* it weighs more than three *)
  | Node l ->
      let inner = join l.right key value right in
      if balanced (weight l.left) (weight inner) then node l.left l.key l.value inner
      else rotate_left l.left l.key l.value inner

and join_left left key value right =
  match right with
  | Empty -> assert false (* as above *)
  | Node r ->
      let inner = join left key value r.left in
      if balanced (weight inner) (weight r.right) then node inner r.key r.value r.right
      else rotate_right inner r.key r.value r.right

(* [tree], which is not empty, with another left part. The size of the right one is told by those on
   the way to the left, so that it needs not be read. *)
let with_left tree left =
  match tree with
  | Empty -> assert false (* has no parts *)
  | Node n ->
      let l = weight left and r = n.size - size n.left in
      if balanced l r then Node { n with left; size = l + r - 1 }
      else join left n.key n.value n.right

let with_right tree right =
  match tree with
  | Empty -> assert false (* as above *)
  | Node n ->
      let l = n.size - size n.right and r = weight right in
      if balanced l r then Node { n with right; size = l + r - 1 }
      else join n.left n.key n.value right

(* The binding with the least key, and the others. *)
let rec take_first tree =
  match tree with
  | Empty -> assert false (* has no binding *)
  | Node { left = Empty; key; value; right; _ } -> (key, value, right)
  | Node n ->
      let key, value, rest = take_first n.left in
      (key, value, with_left tree rest)

(* [join] without a binding in the middle. *)
let join2 left right =
  match right with
  | Empty -> left
  | Node _ ->
      let key, value, rest = take_first right in
      join left key value rest

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
        (before, binding, join behind n.key n.value n.right)
      else
        let before, binding, behind = split cmp key n.right in
        (join n.left n.key n.value before, binding, behind)

(* The [n] least bindings, and the others. *)
let rec split_at n = function
  | Empty -> (Empty, Empty)
  | Node t as tree ->
      let l = size t.left in
      if n <= 0 then (Empty, tree)
      else if n <= l then
        let before, behind = split_at n t.left in
        (before, join behind t.key t.value t.right)
      else
        let before, behind = split_at (n - l - 1) t.right in
        (join t.left t.key t.value before, behind)

(* [binding] of [key], if there is one, between two trees. *)
let join_option left key binding right =
  match binding with Some value -> join left key value right | None -> join2 left right

(* The bindings that are not behind [key]; those that are not before it. *)
let rec up_to cmp key = function
  | Empty -> Empty
  | Node n ->
      let c = cmp n.key key in
      if c > 0 then up_to cmp key n.left else join n.left n.key n.value (up_to cmp key n.right)

let rec from cmp key = function
  | Empty -> Empty
  | Node n ->
      let c = cmp n.key key in
      if c < 0 then from cmp key n.right else join (from cmp key n.left) n.key n.value n.right

let range cmp lo hi tree = up_to cmp hi (from cmp lo tree)
