(* Order.

   All runs on one domain, so what happens has a number, its epoch, in the order in which it happens. A strand
   begins a new epoch when it starts, goes on, begins others or tells others where it is. It keeps the set of
   the epochs so far that it does *not* know, because they are side by side with it in some schedule:

   1. Where a fork or a loop begins, its strand knows all but a set, the base. A member that starts later knows
      neither that nor what is between the split and its own start.
   2. After the join, nothing is unknown but what none of the members knows.
   3. A strand that has paused does not know what was done meanwhile.
   4. A mark is such a set at some epoch. Who learns it does not know what is in both sets.

   As what is new is above all that was before, a set is a list of intervals, the highest first, and for forks
   and loops a stack. In SP-bags (Feng, Leiserson, SPAA 1997) the P-bags are such intervals; but this order needs
   no order of execution, and so has promises and messages, too. test/race compares it with the graph. *)

type way = { call : int; above : way option }
type mark = { unknown : Unknown.t; upto : int }
type lock = { number : int; since : int; released : mark option ref }
type context = { way : way option; locks : lock list }

type strand = {
  mutable unknown : Unknown.t;
  mutable context : context;
  first : int;
  at_first : Unknown.t;
  mutable paused_at : int;
}

let is_of_all = ref true
let now = ref 0
let used = ref 0
let tick () = incr now

let strand unknown context =
  tick ();
  { unknown; context; first = !now; at_first = unknown; paused_at = 0 }

let nowhere = { way = None; locks = [] }
let nobody = strand Unknown.Nil nowhere
let main_strand = strand Unknown.Nil nowhere
let main () = main_strand
let current = ref nobody
let is_current () = !current != nobody
let knows_all () = !current.unknown == Unknown.Nil

(* The latest is kept, as many are the same. *)
let latest = ref None

let call_from call =
  let above = !current.context.way in
  match !latest with
  | Some way when way.call = call && way.above == above -> !latest
  | _ ->
      latest := Some { call; above };
      !latest

let context_of_task = ref nowhere

let context way =
  if !context_of_task.way != way then context_of_task := { way; locks = [] };
  !context_of_task

(* What is done with a lock is not of the epoch of what is done without it. *)
let hold locks =
  let s = !current in
  s.context <- { s.context with locks };
  tick ()

let mark () =
  let m = { unknown = (!current : strand).unknown; upto = !now } in
  tick ();
  m

(* To who is at [m], all that comes later is unknown. *)
let all_unknown m = Unknown.from (m.upto + 1) m.unknown

let both a b =
  let a, b = if a.upto >= b.upto then (a, b) else (b, a) in
  { a with unknown = Unknown.inter a.unknown (all_unknown b) }

(* What a strand does not know that has learnt from many, or has paused often, is in pieces. What is in the oldest of
   hundreds then counts as known: a server does not grow, but races with what was so long ago are missed. *)

let learn m =
  let s = !current in
  s.unknown <- Unknown.bounded (Unknown.inter s.unknown (all_unknown m))

let learn_all () = !current.unknown <- Unknown.Nil

let begin_task m way =
  let unknown = Unknown.add (m.upto + 1) (!now + 1) m.unknown in
  strand unknown (context way)

let stand_for (s : strand) =
  let here = !current in
  here.context <- { s.context with locks = [] };
  here.unknown <- Unknown.add (s.paused_at + 1) here.first s.unknown

let pause () =
  let s = !current in
  s.paused_at <- !now;
  current := nobody;
  s

let go_on s =
  current := s;
  if s != nobody then begin
    tick ();
    s.unknown <- Unknown.bounded (Unknown.add (s.paused_at + 1) !now s.unknown)
  end

(* A task has told what it comes to, and that was all: where nothing was done in its last epoch, the next strand has
   that. Else who awaits the task would never know all. *)
let end_strand () =
  current := nobody;
  if !used < !now then decr now

let run s f =
  current := s;
  match f () with
  | v ->
      end_strand ();
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      end_strand ();
      Printexc.raise_with_backtrace exn backtrace

(* [common] is what none of the members that have ended knows; [first_common] is that before any has. *)
type group = {
  base : Unknown.t;
  from : int;
  context : context;
  first_common : Unknown.t;
  mutable common : Unknown.t;
}

let split site =
  let { unknown; context; _ } : strand = !current in
  let from = !now + 1 in
  let way = call_from site in
  let common = Unknown.from from unknown in
  { base = unknown; from; context = { context with way }; first_common = common; common }

let member g = strand (Unknown.add g.from (!now + 1) g.base) g.context

(* As long as all have come one after the other, and have learnt nothing, what none of them knows is what was so at
   first, and what is above the latest. *)
let ended g (s : strand) =
  let behind = !now + 1 in
  match (g.common, g.first_common) with
  | Unknown.Interval high, Unknown.Interval at_first
    when high.rest == at_first.rest && s.unknown == s.at_first && s.first <= high.first ->
      g.common <- Interval { high with first = behind }
  | common, _ -> g.common <- Unknown.inter common (Unknown.from behind s.unknown)

let join g s =
  current := s;
  tick ();
  s.unknown <-
    (match g.common with
    | Interval { first; behind; rest; _ } when behind = max_int -> Unknown.add first !now rest
    | (Nil | Interval _) as common -> common)
