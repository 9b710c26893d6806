(* Reduction.

   The run takes its iterations in order and combines on its own stack: a subtree is its left
   half combined with its right one. So where nothing is stolen there is a segment for each
   subtree that nothing remains to be combined with, at the end. When the run is out of
   iterations in the middle of subtrees, each of them leaves what it has as a segment. *)

type 'a t = {
  run : Run.t;
  f : int -> 'a;
  combine : 'a -> 'a -> 'a;
  block : int;
  base : int; (* where the loop begins; [first] and [stop] below count from there *)
  mutable is_cut : bool; (* there are no more iterations *)
  mutable behind : 'a Reduction_tree.share; (* then: of the subtrees that it has cut *)
}

let cut r first stop value =
  r.is_cut <- true;
  r.behind <- { Reduction_tree.first; stop; value } :: r.behind

let[@inline] take r = r.f (Run.take (Run.loop r.run))

let rec next_if_any r none =
  if Run.look r.run then if Run.is_ready r.run then take r else next_if_any r none
  else begin
    r.is_cut <- true;
    none
  end

(* The value of the next iteration. If there is none it is [none], and the run is cut. *)
let[@inline] next r none = if Run.is_ready r.run then take r else next_if_any r none

(* The block that begins with [first], which has been folded in [acc] up to the next iteration. *)
let rec rest_of_block r first acc =
  let loop = Run.loop r.run
  and domain = This_thread.domain ()
  and f = r.f
  and combine = r.combine in
  let acc = ref acc and next = ref loop.next and last = r.base + first + r.block in
  while !next <> last && Run.has_next loop domain do
    next := Run.take loop + 1;
    acc := combine !acc (f (!next - 1))
  done;
  if !next = last then !acc
  else if Run.look r.run then rest_of_block r first !acc
  else begin
    cut r first (!next - r.base) !acc;
    !acc
  end

(* The block that begins with [first], the next iteration. If the run is cut in it, what it has of it
   is in [behind]; so below. *)
let block r first none =
  let value = next r none in
  if r.is_cut then value
  else if r.block > 2 then rest_of_block r first value
  else
    let second = next r value in
    if r.is_cut then begin
      cut r first (first + 1) value;
      value
    end
    else r.combine value second

let rec subtree r first length none =
  if length = r.block then block r first none
  else
    let half = length / 2 in
    let left = subtree r first half none in
    if r.is_cut then left
    else
      let right = subtree r (first + half) half left in
      if r.is_cut then begin
        cut r first (first + half) left;
        left
      end
      else r.combine left right

(* The share of the run that has computed [before], rightmost first, and then the subtree that begins
   with [first], which is [value]. Of a right half that does not follow its left one nothing more can be
   made. *)
let rec grow r before first length value =
  if first land length = 0 then begin
    let right = subtree r (first + length) length value in
    if r.is_cut then begin
      cut r first (first + length) value;
      List.rev_append before r.behind
    end
    else grow r before first (2 * length) (r.combine value right)
  end
  else
    let segment = { Reduction_tree.first; stop = first + length; value } in
    go_on r (segment :: before) (first + length) value

(* [first] begins a block. *)
and go_on r before first none =
  let value = block r first none in
  if r.is_cut then List.rev_append before r.behind else grow r before first r.block value

(* In the middle of a block, which has begun elsewhere. *)
let rec in_block r before first value =
  let before = { Reduction_tree.first; stop = first + 1; value } :: before in
  let first = first + 1 in
  if first land (r.block - 1) = 0 then go_on r before first value
  else
    let value = next r value in
    if r.is_cut then List.rev before else in_block r before first value

let share run f ~combine ~block ~base i =
  let value = f i in
  let first = i - base in
  let r = { run; f; combine; block; base; is_cut = false; behind = [] } in
  if first land (block - 1) <> 0 then in_block r [] first value
  else
    let value = rest_of_block r first value in
    if r.is_cut then r.behind else grow r [] first block value
