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
   in [put].

   All that the owner does but to grow the array is one step each, without a safepoint: a signal's handler
   finds the deque whole. *)

(* To read an array of just anything is a safepoint, as it may be one of floats; not so a field. *)
type 'a slot = { mutable item : 'a }
type 'a t = { top : int Atomic.t; bottom : int Atomic.t; mutable slots : 'a slot array; nil : 'a }

let initial_size = 8 (* a power of two *)

let create ~nil =
  {
    top = Atomic.make_contended 0;
    bottom = Atomic.make_contended 0;
    slots = Array.init initial_size (fun _ -> { item = nil });
    nil;
  }

let[@inline] index slots i = i land (Array.length slots - 1)

let[@inline] slot d i =
  let slots = d.slots in
  Array.unsafe_get slots (index slots i)

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

(* A callback that interrupts this may push, pop, and grow the array itself: then it is for nothing.
   Then the newest item, at the least, is another. *)
let grow d ~top ~bottom =
  let before = d.slots in
  let slots = Array.init (2 * Array.length before) (fun _ -> { item = d.nil }) in
  for i = top to bottom - 1 do
    slots.(index slots i).item <- before.(index before i).item
  done;
  let newest = bottom - 1 in
  if
    d.slots == before
    && Atomic.get d.bottom = bottom
    && before.(index before newest).item == slots.(index slots newest).item
  then d.slots <- slots

let[@inline] has_room d = Atomic.get d.bottom - Atomic.get d.top < Array.length d.slots

let[@inline] put d x =
  let bottom = Atomic.get d.bottom in
  bottom - Atomic.get d.top < Array.length d.slots
  && begin
    (slot d bottom).item <- x;
    (* Publishes the slot; pairs with the read of [bottom] in [steal]. *)
    ignore (Atomic.exchange d.bottom (bottom + 1) : int);
    true
  end

let make_room d =
  let bottom = Atomic.get d.bottom and top = Atomic.get d.top in
  if bottom - top >= Array.length d.slots then grow d ~top ~bottom

let rec push d x =
  if not (put d x) then begin
    make_room d;
    push d x
  end

(* The owner alone adds items, so when it finds none there are none. *)
let[@inline] pop d =
  let bottom = Atomic.get d.bottom - 1 in
  if bottom < Atomic.get d.top then d.nil
  else begin
    (* Announces the claim before looking at [top]; pairs with the reads in [steal], in the other
       order. *)
    ignore (Atomic.exchange d.bottom bottom : int);
    let top = Atomic.get d.top in
    let slot = slot d bottom in
    let x = slot.item in
    if top < bottom then begin
      slot.item <- d.nil;
      x
    end
    else begin
      (* At most one item is left: it belongs to whoever moves [top]. *)
      let won = top = bottom && Atomic.compare_and_set d.top top (top + 1) in
      ignore (Atomic.exchange d.bottom (bottom + 1) : int);
      slot.item <- d.nil;
      if won then x else d.nil
    end
  end

let drop d x =
  let bottom = Atomic.get d.bottom in
  if bottom > Atomic.get d.top && (slot d (bottom - 1)).item == x then ignore (pop d)

let[@inline] newest d =
  let bottom = Atomic.get d.bottom in
  if bottom > Atomic.get d.top then (slot d (bottom - 1)).item else d.nil

let[@inline] drop_oldest_if condition d =
  let top = Atomic.get d.top in
  top < Atomic.get d.bottom
  &&
  let slot = slot d top in
  condition slot.item
  && Atomic.compare_and_set d.top top (top + 1)
  && begin
    slot.item <- d.nil;
    true
  end

let[@inline] steal d =
  let top = Atomic.get d.top in
  (* Pairs with the write of [bottom] in [put], and with those in [pop]. *)
  if top >= Atomic.get d.bottom then d.nil
  else
    let x = (slot d top).item in
    if Atomic.compare_and_set d.top top (top + 1) then x else d.nil
