(* Blocks.

   A block is found by its address, in a table with open addressing. It moves once, at the minor collection after it
   was made. So there are two parts:

   1. What is added goes to the part [young].
   2. That there was a minor collection is seen by the canary, a young block, whose address has changed.
   3. Then all that is young is added to the part [old], by its new address, and does not move again. (A compaction
      would move it; there is none unless the program requests one.)

   A collection may come at each allocation and at each turn of a loop. So a search that finds the block is right, as it
   compares blocks and not addresses; and one that does not looks at the canary again before it stores anything. From
   that look to the store there is no safepoint. *)

type 'a part = { blocks : Address.block array; values : 'a array; mutable used : int }

type 'a t = {
  nothing : 'a;
  mutable old : 'a part;
  mutable young : 'a part;
  mutable canary : Address.block;
  mutable canary_at : int;
}

(* Powers of two, as all sizes. *)
let least = 64
let most_young = 8192

let part nothing size =
  { blocks = Array.make size Address.none; values = Array.make size nothing; used = 0 }

let watch t =
  t.canary <- Address.block (ref 0);
  t.canary_at <- Address.of_block t.canary

let create nothing =
  let old = part nothing least and young = part nothing least in
  let t = { nothing; old; young; canary = Address.none; canary_at = 0 } in
  watch t;
  t

let[@inline] have_moved t = Address.of_block t.canary <> t.canary_at

(* Fibonacci hashing (Knuth, TAOCP 3, 6.4): neighbours in memory are no neighbours here. *)
let[@inline] home part b =
  ((Address.of_block b * 0x1E3779B97F4A7C15) lsr 20) land (Array.length part.blocks - 1)

(* Where [b] is, or else the free place for it. *)
let rec place part b i =
  let there = Array.unsafe_get part.blocks i in
  if there == b || there == Address.none then i
  else place part b ((i + 1) land (Array.length part.blocks - 1))

let[@inline] look t part b =
  let i = place part b (home part b) in
  if Array.unsafe_get part.blocks i == b then Array.unsafe_get part.values i else t.nothing

let[@inline] store part i b v =
  part.blocks.(i) <- b;
  part.values.(i) <- v;
  part.used <- part.used + 1

let is_full part ~more = 2 * (part.used + more) > Array.length part.blocks

(* [from] has none that is in [part]. *)
let add_all part from =
  Array.iteri
    (fun i b -> if b != Address.none then store part (place part b (home part b)) b from.values.(i))
    from.blocks

let emptied t p ~size =
  if size <> Array.length p.blocks then part t.nothing size
  else begin
    Array.fill p.blocks 0 size Address.none;
    Array.fill p.values 0 size t.nothing;
    p.used <- 0;
    p
  end

(* Step 3. The next young part has more room if this one was full, so that few collections come early. *)
let settle t =
  watch t;
  let young = t.young in
  let size = Array.length young.blocks in
  let rec roomy n = if 2 * (t.old.used + young.used) > n then roomy (2 * n) else n in
  let wanted = roomy (Array.length t.old.blocks) in
  if wanted > Array.length t.old.blocks then begin
    let bigger = part t.nothing wanted in
    add_all bigger t.old;
    t.old <- bigger
  end;
  add_all t.old young;
  let full = is_full young ~more:1 in
  t.young <- emptied t young ~size:(if full then Int.min most_young (4 * size) else size)

let rec find_or_add t b make =
  if have_moved t then settle t;
  let v = look t t.old b in
  if v != t.nothing then v
  else
    let v = look t t.young b in
    if v != t.nothing then v
    else begin
      if is_full t.young ~more:1 then begin
        Gc.minor ();
        settle t
      end;
      let v = make () in
      let i = place t.young b (home t.young b) in
      if have_moved t then find_or_add t b make
      else begin
        store t.young i b v;
        v
      end
    end

let count t = t.old.used + t.young.used

let clear t let_go =
  if count t > 0 then begin
    let each v = if v != t.nothing then let_go v in
    Array.iter each t.old.values;
    Array.iter each t.young.values;
    let fit p = if Array.length p.blocks > 1024 then least else Array.length p.blocks in
    t.old <- emptied t t.old ~size:(fit t.old);
    t.young <- emptied t t.young ~size:(fit t.young)
  end

let keep_live t let_go =
  Gc.minor ();
  settle t;
  let all = t.old in
  let n = Array.length all.blocks in
  let live = Weak.create n in
  Array.iteri (fun i b -> if b != Address.none then Weak.set live i (Some b)) all.blocks;
  Array.fill all.blocks 0 n Address.none;
  Gc.full_major ();
  for i = 0 to n - 1 do
    match Weak.get live i with
    | Some b -> all.blocks.(i) <- b
    | None ->
        if all.values.(i) != t.nothing then let_go all.values.(i);
        all.values.(i) <- t.nothing
  done;
  let rest = part t.nothing n in
  add_all rest all;
  t.old <- rest
