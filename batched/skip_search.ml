(* Searches in a skip list, a few side by side: what they wait for, the next node from the memory,
   they then wait for together. Chen, Ailamaki, Gibbons, Mowry, "Improving Hash Join Performance
   through Prefetching" (ICDE 2004), call it group prefetching. Kernel: skip-list.

   All of them are made before the list is changed, and the changes go from the greatest key to the
   least. So they leave in place the nodes before the smaller keys, and every finger stays what it
   is. A comparison that raises finds the list as it was. *)

open Skip_line

(* As many as a processor keeps up with. *)
let width = 8

type ('k, 'v) t = {
  op : ('k, 'v) Op.t;
  finger : ('k, 'v) node array;
  mutable level : int;  (** where the search is; it has ended below the lowest *)
  mutable node : ('k, 'v) node;  (** not behind the key *)
  mutable found : ('k, 'v) node;  (** that of the key, if there is one *)
  mutable is_same : bool;  (** its key is that of the search before *)
}

let create finger level op =
  let finger = Array.copy finger in
  { op; finger; level; node = finger.(level); found = Nil; is_same = false }

(* A finger that has not moved may be farther on the level below than its tower. *)
let go_down s =
  let level = s.level in
  s.level <- level - 1;
  if s.finger.(level) != s.node then begin
    s.finger.(level) <- s.node;
    s.node <- down s.node
  end
  else if level > 0 then s.node <- s.finger.(level - 1)

let step cmp s =
  match next s.node with
  | (Index { key; _ } | Base { key; _ }) as right ->
      let c = cmp key (Op.key s.op) in
      if c < 0 then s.node <- right
      else begin
        if c = 0 && s.level = 0 then s.found <- right;
        go_down s
      end
  | Nil | Head _ -> go_down s

let rec descend cmp searches =
  let left = ref 0 in
  for i = 0 to Array.length searches - 1 do
    let s = Array.unsafe_get searches i in
    if s.level >= 0 then begin
      incr left;
      step cmp s
    end
  done;
  if !left > 0 then descend cmp searches

let has_key_of cmp before s =
  if before.found != Nil || s.found != Nil then before.found == s.found
  else before.finger.(0) == s.finger.(0) && cmp (Op.key before.op) (Op.key s.op) = 0

(* The searches for the sorted operations [lo, hi), at least one; [finger] is nowhere behind them. *)
let group cmp finger (ops : _ Op.t array) lo hi =
  let level = climb cmp (Op.key ops.(hi - 1)) finger in
  let searches = Array.init (hi - lo) (fun i -> create finger level ops.(lo + i)) in
  descend cmp searches;
  for i = 1 to hi - lo - 1 do
    searches.(i).is_same <- has_key_of cmp searches.(i - 1) searches.(i)
  done;
  searches

(* One search, by [finger]. *)
let alone cmp finger op =
  let key = Op.key op in
  seek cmp key finger;
  let found =
    match next finger.(0) with Base b as node when cmp b.key key = 0 -> node | _ -> Nil
  in
  { op; finger; level = -1; node = Nil; found; is_same = false }

(* What becomes of the binding of a key; by how much the length grows. [serial] gives the height of a
   new tower. *)
let settle line s serial before after =
  match (s.found, after) with
  | Base b, Some value ->
      if after != before then b.value <- value;
      0
  | (Base _ as found), None ->
      unlink s.finger 0 found;
      -1
  | _, Some value ->
      link line s.finger (height_of serial) (Op.key s.op) value;
      1
  | _, None -> 0

(* Operations on one key in the order of the batch, the keys from the greatest one on. *)
let rec apply line searches serial hi grown =
  if hi = 0 then grown
  else begin
    let lo = ref (hi - 1) in
    while searches.(!lo).is_same do
      decr lo
    done;
    let lo = !lo in
    let before = match searches.(lo).found with Base b -> Some b.value | _ -> None in
    let binding = ref before in
    for i = lo to hi - 1 do
      binding := Op.step searches.(i).op !binding
    done;
    apply line searches serial lo (grown + settle line searches.(lo) (serial + lo) before !binding)
  end
