(* Account.

   What its tasks allocate is added up by the stretches in which a worker runs them (see
   [Worker]), when such a stretch ends and at each collection.

   The heap is the whole program's, and nothing tells whose a word of it is. But a scope holds no more than
   its tasks have put into the major heap ([held]). When that is enough to matter ([next]), its worker
   collects all garbage:

   1. What lived when the scope began is no more than what lives now: so [before] is corrected, which
      counted the garbage of that time as well.
   2. What has been added since is shared out among the scopes that are there, in proportion to what each
      may hold. So a scope that keeps little is not to blame for its neighbours.
   3. If its share is too large, the scope is cancelled. Otherwise the share is what it holds, until its tasks
      put more into the major heap.

   The share is exact where the others hold what they may. The garbage that they make meanwhile makes it
   smaller than it should be: better that a scope is stopped late than another that is innocent. *)

type limit = Heap of int | Allocated of int

exception Exceeded of { limit : limit; used : int }

type words = { allocated : int; major : int }

type t = {
  outer : t; (* or [none] *)
  most_allocated : int; (* words; [max_int] where there is no limit *)
  most_heap : int;
  mutable allocated : int; [@atomic]
  mutable held : int; [@atomic]
  mutable before : int; [@atomic]
  mutable next : int; [@atomic]
  mutable cancel : (exn -> unit) option; [@atomic] (* [None] if it is over *)
}

let[@inline] held t = Atomic.Loc.get [%atomic.loc t.held]
let[@inline] before t = Atomic.Loc.get [%atomic.loc t.before]
let[@inline] cancel_of t = Atomic.Loc.get [%atomic.loc t.cancel]
let[@inline] next t = Atomic.Loc.get [%atomic.loc t.next]

let rec none =
  {
    outer = none;
    most_allocated = max_int;
    most_heap = max_int;
    allocated = 0;
    held = 0;
    before = 0;
    next = max_int;
    cancel = None;
  }

(* Those that are there. *)
let accounts = Atomic.make Shared.Register.empty
let is_there t = Option.is_some (cancel_of t)

(* In words, with the garbage that has not been swept yet. *)
let heap () = (Gc.quick_stat ()).live_words

(* What was left of it when all garbage was last collected: such a collection takes as long as that is
   large. *)
let lived = Atomic.make 0

(* A little beyond the limit, as garbage is among what is counted; but where old garbage would matter, the
   first look comes early. *)
let beyond most = Int.max most (most + (most / 16) + 1)

let create ~outer ?heap:(most_heap = max_int) ?(allocated = max_int) cancel =
  let cancel = Some cancel in
  let before = heap () in
  let next =
    if before <= most_heap / 8 then beyond most_heap
    else Int.max (most_heap / 4) (Atomic.get lived / 8)
  in
  let t = { none with outer; most_allocated = allocated; most_heap; before; next; cancel } in
  Shared.change accounts (fun others -> Shared.Register.add ~still:is_there others t);
  t

let finish t = if is_there t then Atomic.Loc.set [%atomic.loc t.cancel] None

let words () =
  let minor, promoted, major = Gc.counters () in
  { allocated = int_of_float (minor +. major -. promoted); major = int_of_float major }

let rec add t ~(since : words) (words : words) =
  if t != none then begin
    let allocated = words.allocated - since.allocated and major = words.major - since.major in
    ignore (Atomic.Loc.fetch_and_add [%atomic.loc t.allocated] allocated : int);
    if major > 0 then ignore (Atomic.Loc.fetch_and_add [%atomic.loc t.held] major : int);
    add t.outer ~since words
  end

let rec is_around outer t = t != none && (t.outer == outer || is_around outer t.outer)

(* Of the words that have been added since [t] began. None of the others has more than its limit; and [t] is
   looked at when it may have a little more, unless it came there by much garbage at once. What lies inside
   [t] counts for it, and inside another for that. *)
let share t added =
  let is_beside other = is_around other.outer t && other != t && not (is_around other t) in
  let of_other sum other =
    if is_there other && is_beside other then sum + Int.min (held other) other.most_heap else sum
  in
  let others = List.fold_left of_other 0 (Atomic.get accounts).members in
  let ours = float (Int.min (held t) (beyond t.most_heap)) in
  int_of_float (float added *. ours /. (ours +. float others))

let cancel t limit used =
  Option.iter (fun cancel -> cancel (Exceeded { limit; used })) (cancel_of t)

(* If it is time. *)
let look t =
  let most = t.most_heap and seen = next t and now = held t in
  if now > seen && Atomic.Loc.compare_and_set [%atomic.loc t.next] seen (beyond now) then begin
    Gc.full_major ();
    let living = heap () in
    Atomic.set lived living;
    if living < before t then Atomic.Loc.set [%atomic.loc t.before] living;
    let used = share t (living - before t) in
    if used > most then cancel t (Heap most) used
    else begin
      ignore (Atomic.Loc.fetch_and_add [%atomic.loc t.held] (used - now) : int);
      Atomic.Loc.set [%atomic.loc t.next] (beyond most)
    end
  end

let rec check t =
  let used = Atomic.Loc.get [%atomic.loc t.allocated] in
  if used > t.most_allocated then cancel t (Allocated t.most_allocated) used;
  look t;
  if t.outer != none then check t.outer

(* Where blocks are large, collections that happen by themselves come when the heap has grown by a half
   or more. *)
let rec is_near t =
  let is_close () =
    let close = t.most_heap / 4 in
    held t > close && heap () - before t > close
  in
  t != none && (is_close () || is_near t.outer)
