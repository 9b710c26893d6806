(* Work-stealing deque.

   Items are at the indices top .. bottom - 1, each modulo the size of the array. The owner moves
   [bottom]; whoever takes the oldest item moves [top], by compare-and-set, and only upwards: an
   index is taken at most once.

   The owner takes the newest item without a compare-and-set unless it is also the oldest. It first
   lowers [bottom] and then reads [top]; a thief reads [top] and then [bottom]. Both are
   sequentially consistent, so of an owner and a thief that are after the same last item at least
   one sees the other, and they settle it at [top].

   The slots are plain: a thief may read a slot that is being overwritten, but then [top] has moved
   and its compare-and-set fails. A grown array is published by the write of [bottom] that follows
   in [push]. *)

type 'a t = { top : int Atomic.t; bottom : int Atomic.t; mutable slots : 'a array; nil : 'a }

let initial_size = 32 (* a power of two *)

let create ~nil =
  {
    top = Atomic.make_contended 0;
    bottom = Atomic.make_contended 0;
    slots = Array.make initial_size nil;
    nil;
  }

let[@inline] index slots i = i land (Array.length slots - 1)

(* [top] only rises: read before [bottom], it was at most this when [bottom] was read. The other way
   round a deque that never was empty could look so. *)
let rec length d =
  let top = Atomic.get d.top in
  let bottom = Atomic.get d.bottom in
  if Atomic.get d.top = top then Int.max 0 (bottom - top) else length d

(* If [top] has risen meanwhile, what was there may have been taken, and [bottom] raised after it. *)
let[@inline] is_empty d =
  let top = Atomic.get d.top in
  Atomic.get d.bottom <= top || (Atomic.get d.top <> top && length d = 0)

let grow d ~top ~bottom =
  let slots = Array.make (2 * Array.length d.slots) d.nil in
  for i = top to bottom - 1 do
    slots.(index slots i) <- d.slots.(index d.slots i)
  done;
  d.slots <- slots

let push d x =
  let bottom = Atomic.get d.bottom in
  let top = Atomic.get d.top in
  if bottom - top >= Array.length d.slots then grow d ~top ~bottom;
  d.slots.(index d.slots bottom) <- x;
  (* Publishes the slot; pairs with the read of [bottom] in [steal]. *)
  Atomic.set d.bottom (bottom + 1)

(* The owner alone adds items, so when it finds none there are none. *)
let pop d =
  let bottom = Atomic.get d.bottom - 1 in
  if bottom < Atomic.get d.top then None
  else begin
    (* Announces the claim before looking at [top]; pairs with the reads in [steal], in the other
       order. *)
    Atomic.set d.bottom bottom;
    let top = Atomic.get d.top in
    let i = index d.slots bottom in
    let x = d.slots.(i) in
    if top < bottom then begin
      d.slots.(i) <- d.nil;
      Some x
    end
    else begin
      (* At most one item is left: it belongs to whoever moves [top]. *)
      let won = top = bottom && Atomic.compare_and_set d.top top (top + 1) in
      Atomic.set d.bottom (bottom + 1);
      d.slots.(i) <- d.nil;
      if won then Some x else None
    end
  end

let drop d x =
  let bottom = Atomic.get d.bottom in
  if bottom > Atomic.get d.top && d.slots.(index d.slots (bottom - 1)) == x then ignore (pop d)

let rec drop_while d p =
  let bottom = Atomic.get d.bottom in
  if bottom > Atomic.get d.top && p d.slots.(index d.slots (bottom - 1)) then begin
    ignore (pop d);
    drop_while d p
  end

let steal d =
  let top = Atomic.get d.top in
  (* Pairs with the write of [bottom] in [push], and with those in [pop]. *)
  if top >= Atomic.get d.bottom then None
  else
    let slots = d.slots in
    let x = slots.(index slots top) in
    if Atomic.compare_and_set d.top top (top + 1) then Some x else None
