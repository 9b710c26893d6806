(* Skip lists for one user at a time: Pugh, "Skip Lists: A Probabilistic Alternative to Balanced
   Trees" (CACM 33(6), 1990), with a key in every node, so that a step costs one cache miss.

   A tower is a [Base] and an [Index] on each level above it; one of four towers reaches the next
   level. A line has a head on every level. Each level is in increasing order, and a level's keys
   are among those below.

   A finger is, for each level, the last node before some key. It only moves to the right, which is
   what makes a sorted batch cheap. Nothing is changed while a comparison can still raise. *)

type ('k, 'v) node =
  | Nil
  | Head of { mutable next : ('k, 'v) node; down : ('k, 'v) node }
  | Index of { key : 'k; mutable next : ('k, 'v) node; down : ('k, 'v) node }
  | Base of { key : 'k; mutable next : ('k, 'v) node; mutable value : 'v }

type ('k, 'v) t = {
  heads : ('k, 'v) node array;  (** from the lowest level up *)
  mutable height : int;  (** levels above are empty *)
}

(* Enough for 4{^ 16} bindings. *)
let levels = 16
let empty_head down = Head { next = Nil; down }

let create () =
  let heads = Array.make levels (empty_head Nil) in
  for level = 1 to levels - 1 do
    heads.(level) <- empty_head heads.(level - 1)
  done;
  { heads; height = 1 }

let[@inline] next = function Nil -> Nil | Head n -> n.next | Index n -> n.next | Base n -> n.next

let set_next node next =
  match node with
  | Nil -> ()
  | Head n -> n.next <- next
  | Index n -> n.next <- next
  | Base n -> n.next <- next

let[@inline] down = function Head n -> n.down | Index n -> n.down | Nil | Base _ -> Nil

(* The last node before [key] on the level of [node], which is before [key]. *)
let rec walk cmp key node =
  match next node with
  | (Index { key = k; _ } | Base { key = k; _ }) as right when cmp k key < 0 -> walk cmp key right
  | _ -> node

(* Moves a finger to [key], from [level] down; [node] is on [level], not before the finger. *)
let rec descend cmp key finger level node =
  let found = walk cmp key node in
  let moved = found != finger.(level) in
  if moved then finger.(level) <- found;
  if level > 0 then
    descend cmp key finger (level - 1) (if moved then down found else finger.(level - 1))

let start line = Array.sub line.heads 0 line.height

(* The lowest level on which a finger, which is before [key], is just before it. *)
let climb cmp key finger =
  let rec go level =
    if level = Array.length finger - 1 then level
    else
      match next finger.(level) with
      | (Index { key = k; _ } | Base { key = k; _ }) when cmp k key < 0 -> go (level + 1)
      | _ -> level
  in
  go 0

(* Moves a finger, which is before [key], to [key]: up as far as it has to, and down again. *)
let seek cmp key finger =
  let level = climb cmp key finger in
  descend cmp key finger level finger.(level)

(* The number of levels of a tower, from a number that is used once: pairs of zeros at the end of
   its hash. *)
let height_of serial =
  let h = serial * 0x1E3779B97F4A7C15 in
  let h = h lxor (h lsr 29) * 0x3F58476D1CE4E5B9 in
  let rec pairs h n = if n < levels && h land 3 = 0 then pairs (h lsr 2) (n + 1) else n in
  pairs (h lsr 20) 1

(* A new tower behind the finger. The finger has as many levels as the line had when it was started,
   above which the heads are before everything. *)
let link line finger height key value =
  let before level = if level < Array.length finger then finger.(level) else line.heads.(level) in
  let rec index level down =
    if level = height then []
    else
      let node = Index { key; next = next (before level); down } in
      node :: index (level + 1) node
  in
  let base = Base { key; next = next (before 0); value } in
  let tower = if height = 1 then [] else base :: index 1 base in
  (* From here on there is no safepoint, and what may overflow the stack comes before the first
     change. *)
  let rec connect level = function
    | [] -> ()
    | node :: above ->
        connect (level + 1) above;
        set_next (before level) node
  in
  if height = 1 then set_next (before 0) base else connect 0 tower;
  if height > line.height then line.height <- height

(* Takes out the tower of which [node], behind the finger, is the part on [level]; as [link]. *)
let rec unlink finger level node =
  (if level + 1 < Array.length finger then
     match next finger.(level + 1) with
     | Index { down; _ } as above when down == node -> unlink finger (level + 1) above
     | _ -> ());
  set_next finger.(level) (next node)

(* To cut a line and to put it together is one step each: first all is found, and then [move] changes
   all levels, without a safepoint; and what may overflow the stack comes before the first change. *)

(* Where a line is to be cut, before [key]: a finger, and an empty line for the rest. *)
let cut_before cmp line key =
  let finger = start line in
  seek cmp key finger;
  let rest = create () in
  rest.height <- line.height;
  (finger, rest)

(* What is behind the nodes [from] goes behind the nodes [behind], level by level. *)
let rec move from behind level =
  if level < Array.length from then begin
    move from behind (level + 1);
    set_next behind.(level) (next from.(level));
    set_next from.(level) Nil
  end

let cut finger rest = move finger rest.heads 0
let rec last node = match next node with Nil -> node | right -> last right

(* Puts [rest], all of which is behind [line], at the end of it. May be called again. *)
let append line rest =
  line.height <- Int.max line.height rest.height;
  let ends = start line in
  let rec find level node =
    ends.(level) <- last node;
    if level > 0 then find (level - 1) (down ends.(level))
  in
  let top = line.height - 1 in
  find top ends.(top);
  move (start rest) ends 0

let rec iter f node =
  match next node with
  | Base b as right ->
      f b.key b.value;
      iter f right
  | _ -> ()

let length line =
  let count = ref 0 in
  iter (fun _ _ -> incr count) line.heads.(0);
  !count

(* What is between [lo] and [hi], both included. *)
let iter_range cmp f line lo hi =
  let rec go node =
    match next node with
    | Base b as right when cmp b.key hi <= 0 ->
        f b.key b.value;
        go right
    | _ -> ()
  in
  let finger = start line in
  seek cmp lo finger;
  go finger.(0)

(* Raises if a rule above is broken; the number of bindings otherwise. *)
let validate cmp line =
  let wrong what = failwith ("Drover_batched: a skip list is broken: " ^ what) in
  let key = function Nil | Head _ -> None | Index n -> Some n.key | Base n -> Some n.key in
  (* Walks a level and the one below, where all that is above is found again. *)
  let rec check level node below count =
    match next node with
    | Nil -> count
    | right ->
        (match (key node, key right) with
        | Some k, Some l when cmp k l >= 0 -> wrong "order"
        | _ -> ());
        if level > 0 && not (meets below (down right)) then wrong "level";
        check level right (if level > 0 then down right else below) (count + 1)
  and meets below node =
    below == node || match next below with Nil -> false | n -> meets n node
  in
  let count level =
    let below = if level > 0 then line.heads.(level - 1) else line.heads.(0) in
    check level line.heads.(level) below 0
  in
  let counts = List.init levels count in
  if List.exists (( < ) 0) (List.filteri (fun level _ -> level >= line.height) counts) then
    wrong "height";
  List.hd counts
