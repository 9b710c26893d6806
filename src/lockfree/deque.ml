(* Work-stealing deque.

   Items are at the indices top .. bottom - 1, each modulo the size of the array. The owner moves
   [bottom]. The oldest items are taken by a step of [top], by compare-and-set, and only upwards: so an
   index is taken at most once.

   The owner takes the newest item without a compare-and-set unless it is also the oldest:

   1. The owner lowers [bottom].     1. A thief reads [top].
   2. It reads [top].                2. It reads [bottom].

   All are sequentially consistent, so of an owner and a thief that are after the same last item at
   least one sees the other, and the step of [top] decides between them.

   Of more than twice [many] items a thief takes [many] at once. Between its look at [bottom] and its step of
   [top] the owner may take nearly all of them, from the other end. So beside the index, [top] has an epoch:

   1. An owner that leaves just [many] items begins the next epoch, before it takes the next one. So the step
      of a thief that has seen more fails.
   2. A thief that looks in this epoch sees that there are too few, until there are more than twice [many]
      again.

   The owner comes by 1 before it takes an item that such a thief has seen among the oldest, as it takes one
   at a time, and any other step of [top] makes the thief's fail, too.

   The slots are plain: a thief may read a slot that is being overwritten, but then [top] has moved
   and its compare-and-set fails. A grown array is published by the write of [bottom] that follows
   in [put].

   The owner looks for room from where it saw the top last, [top_seen], as thieves take that line from it.

   All that the owner does but to grow the array is one step, without a safepoint: the handler of a
   signal finds the deque whole. *)

(* To read an array of just anything is a safepoint, as it may be one of floats; not so a field. *)
type 'a slot = { mutable item : 'a }

type 'a t = {
  top : int Atomic.t;
  bottom : int Atomic.t;
  mutable top_seen : int; (* by the owner *)
  mutable slots : 'a slot array;
  nil : 'a;
}

(* An index, above an epoch, which is 0 in [bottom]. Both begin again after 2^31, which no thief's look lasts. *)

let epoch_bits = 31
let one = 1 lsl epoch_bits
let epoch = one - 1

(* How many items lie between; rounded up, as the epoch of [top] makes them fewer. *)
let[@inline] count ~top ~bottom = (bottom - top + epoch) asr epoch_bits
let[@inline] next_epoch top = top land lnot epoch lor ((top + 1) land epoch)

let create ~nil =
  {
    top = Atomic.make_contended 0;
    bottom = Atomic.make_contended 0;
    top_seen = 0;
    slots = Array.init 8 (* a power of two *) (fun _ -> { item = nil });
    nil;
  }

let[@inline] slot (slots : _ slot array) i =
  Array.unsafe_get slots ((i asr epoch_bits) land (Array.length slots - 1))

(* [top] only rises: read before [bottom], it was at most this when [bottom] was read. The other way
   round a deque that never was empty could look so. *)
let rec length d =
  let top = Atomic.get d.top in
  let bottom = Atomic.get d.bottom in
  if Atomic.get d.top = top then Int.max 0 (count ~top ~bottom) else length d

(* If [top] has risen meanwhile, what was there may have been taken, and [bottom] raised after it. *)
let[@inline] is_empty d =
  let top = Atomic.get d.top in
  count ~top ~bottom:(Atomic.get d.bottom) <= 0 || (Atomic.get d.top <> top && length d = 0)

let[@inline] has_room_above d bottom =
  count ~top:d.top_seen ~bottom < Array.length d.slots
  || begin
    d.top_seen <- Atomic.get d.top;
    count ~top:d.top_seen ~bottom < Array.length d.slots
  end

let[@inline] has_room d = has_room_above d (Atomic.get d.bottom)

let[@inline] put d x =
  let bottom = Atomic.get d.bottom in
  has_room_above d bottom
  && begin
    (slot d.slots bottom).item <- x;
    (* Publishes the slot; pairs with the reads of [bottom] in [steal] and [look_at_many]. *)
    ignore (Atomic.exchange d.bottom (bottom + one) : int);
    true
  end

let make_room d =
  let bottom = Atomic.get d.bottom and top = Atomic.get d.top and before = d.slots in
  let n = count ~top ~bottom in
  if n >= Array.length before then begin
    let slots = Array.init (2 * Array.length before) (fun _ -> { item = d.nil }) in
    for i = 1 to n do
      let place = bottom - (i * one) in
      (slot slots place).item <- (slot before place).item
    done;
    (* A callback that has interrupted this may have pushed, popped, and grown the array itself. Then
       the newest item, at the least, is another, and this was for nothing. *)
    let is_as_before =
      d.slots == before
      && Atomic.get d.bottom = bottom
      && (slot before (bottom - one)).item == (slot slots (bottom - one)).item
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

let many = 32

(* The owner alone adds items, so when it finds none there are none. *)
let[@inline] pop d =
  let bottom = Atomic.get d.bottom - one in
  if count ~top:(Atomic.get d.top) ~bottom < 0 then d.nil
  else begin
    (* Announces the claim before looking at [top]; pairs with the reads in [steal] and [look_at_many],
       in the other order. *)
    ignore (Atomic.exchange d.bottom bottom : int);
    let top = Atomic.get d.top in
    let left = count ~top ~bottom and slot = slot d.slots bottom in
    let x = slot.item in
    if left > 0 then begin
      (* Where this fails, so do the steps of thieves that have seen the same top. *)
      if left = many then ignore (Atomic.compare_and_set d.top top (next_epoch top) : bool);
      slot.item <- d.nil;
      x
    end
    else begin
      (* At most one item is left: the step of [top] decides whose it is. *)
      let won = left = 0 && Atomic.compare_and_set d.top top (top + one) in
      ignore (Atomic.exchange d.bottom (bottom + one) : int);
      slot.item <- d.nil;
      if won then x else d.nil
    end
  end

let[@inline] newest d =
  let bottom = Atomic.get d.bottom in
  if count ~top:(Atomic.get d.top) ~bottom > 0 then (slot d.slots (bottom - one)).item else d.nil

let drop d x = if newest d == x then ignore (pop d)

let[@inline] drop_oldest_if condition d =
  let top = Atomic.get d.top in
  count ~top ~bottom:(Atomic.get d.bottom) > 0
  &&
  let slot = slot d.slots top in
  condition slot.item
  && Atomic.compare_and_set d.top top (top + one)
  && begin
    slot.item <- d.nil;
    true
  end

let[@inline] steal d =
  let top = Atomic.get d.top in
  (* Pairs with the write of [bottom] in [put], and with those in [pop]. *)
  if count ~top ~bottom:(Atomic.get d.bottom) <= 0 then d.nil
  else
    let x = (slot d.slots top).item in
    if Atomic.compare_and_set d.top top (top + one) then x else d.nil

(* Many *)

type 'a look = { from : int; oldest : 'a list }

let look_at_many d =
  let from = Atomic.get d.top in
  (* Pairs with the writes of [bottom], as in [steal]. *)
  if count ~top:from ~bottom:(Atomic.get d.bottom) <= 2 * many then None
  else
    let slots = d.slots in
    Some { from; oldest = List.init many (fun i -> (slot slots (from + (i * one))).item) }

let oldest look = look.oldest
let[@inline] steal_many d { from; _ } = Atomic.compare_and_set d.top from (from + (many * one))
