(* Work-stealing deque.

   Items are at the indices top .. bottom - 1, each modulo the size of the array. The owner moves
   [bottom]. The oldest item is taken by a step of [top], by compare-and-set, and only upwards: so an
   index is taken at most once.

   The owner takes the newest item without a compare-and-set unless it is also the oldest:

   1. The owner lowers [bottom].     1. A thief reads [top].
   2. It reads [top].                2. It reads [bottom].

   All are sequentially consistent, so of an owner and a thief that are after the same last item at
   least one sees the other, and the step of [top] decides between them.

   The slots are plain: a thief may read a slot that is being overwritten, but then [top] has moved
   and its compare-and-set fails. A grown array is published by the write of [bottom] that follows
   in [put].

   All that the owner does but to grow the array is one step, without a safepoint: the handler of a
   signal finds the deque whole. *)

(* To read an array of just anything is a safepoint, as it may be one of floats; not so a field. *)
type 'a slot = { mutable item : 'a }
type 'a t = { top : int Atomic.t; bottom : int Atomic.t; mutable slots : 'a slot array; nil : 'a }

let create ~nil =
  {
    top = Atomic.make_contended 0;
    bottom = Atomic.make_contended 0;
    slots = Array.init 8 (* a power of two *) (fun _ -> { item = nil });
    nil;
  }

let[@inline] slot (slots : _ slot array) i = Array.unsafe_get slots (i land (Array.length slots - 1))

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

let[@inline] has_room d = Atomic.get d.bottom - Atomic.get d.top < Array.length d.slots

let[@inline] put d x =
  let bottom = Atomic.get d.bottom in
  bottom - Atomic.get d.top < Array.length d.slots
  && begin
    (slot d.slots bottom).item <- x;
    (* Publishes the slot; pairs with the read of [bottom] in [steal]. *)
    ignore (Atomic.exchange d.bottom (bottom + 1) : int);
    true
  end

let make_room d =
  let bottom = Atomic.get d.bottom and top = Atomic.get d.top and before = d.slots in
  if bottom - top >= Array.length before then begin
    let slots = Array.init (2 * Array.length before) (fun _ -> { item = d.nil }) in
    for i = top to bottom - 1 do
      (slot slots i).item <- (slot before i).item
    done;
    (* A callback that has interrupted this may have pushed, popped, and grown the array itself. Then
       the newest item, at the least, is another, and this was for nothing. *)
    let is_as_before =
      d.slots == before
      && Atomic.get d.bottom = bottom
      && (slot before (bottom - 1)).item == (slot slots (bottom - 1)).item
    in
    if is_as_before then d.slots <- slots
  end

(* Nobody takes an item from an empty deque: a thief that has seen one finds that [top] has moved. And who
   sees the next item sees the array that it was put into, as one that has grown. *)
let trim d ~kept =
  if Array.length d.slots > kept && is_empty d then begin
    let slots = Array.init kept (fun _ -> { item = d.nil }) in
    (* A callback may have pushed. *)
    if is_empty d then d.slots <- slots
  end

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
    let slot = slot d.slots bottom in
    let x = slot.item in
    if top < bottom then begin
      slot.item <- d.nil;
      x
    end
    else begin
      (* At most one item is left: the step of [top] decides whose it is. *)
      let won = top = bottom && Atomic.compare_and_set d.top top (top + 1) in
      ignore (Atomic.exchange d.bottom (bottom + 1) : int);
      slot.item <- d.nil;
      if won then x else d.nil
    end
  end

let[@inline] newest d =
  let bottom = Atomic.get d.bottom in
  if bottom > Atomic.get d.top then (slot d.slots (bottom - 1)).item else d.nil

let drop d x = if newest d == x then ignore (pop d)

let[@inline] drop_oldest_if condition d =
  let top = Atomic.get d.top in
  top < Atomic.get d.bottom
  &&
  let slot = slot d.slots top in
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
    let x = (slot d.slots top).item in
    if Atomic.compare_and_set d.top top (top + 1) then x else d.nil
