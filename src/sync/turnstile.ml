(* Turnstile.

   A passer-by takes a free permit, with one step. With none free it spins for a while, then gets in
   line and waits. To hand a permit to the first in line would have all others wait until that one
   runs. So:

   1. The releaser makes the permit free, and calls the first in line, which is woken but keeps its
      turn.
   2. The first comes, takes a free permit, and leaves the line. If others were faster it waits
      again.
   3. When others have gone before it often enough, or for long, the releaser gives it the permit,
      which is not free then.

   Of one in line, the state is

     Coming --wait--> Waiting w --call, cancel--> Coming
                        +-------give------------> Given

   While a permit is free, the first in line is Coming: each step that leaves a free permit and a line
   is followed by a look at the first ([move]); a waiter becomes Waiting and then looks for a free permit
   ([wait_turn]).

   A step between few permits and none allocates nothing: what locks do most of the time. Probe:
   mutex. *)

type state = Coming | Waiting of Waiter.t | Given

type who = {
  state : state Atomic.t;
  mutable ticket : int;
  mutable since : float;
  mutable passed : int; (* how often others went before it; a race does no harm *)
}

type permits = None_free | Free of int | Line of { line : who Line.t; free : int } (* not empty *)

type t = {
  most : int;
  permits : permits Atomic.t;
  hold : Hold.t;
  wait : (Waiter.t -> unit) -> unit;
}

let hold t = t.hold
let most_few = 4

(* Constants; 4 stands for no other number. *)
let[@inline] few = function 0 -> None_free | 1 -> Free 1 | 2 -> Free 2 | 3 -> Free 3 | _ -> Free 4
let[@inline] freed n = if n <= most_few then few n else Free n
let[@inline] permits line free = if Line.length line = 0 then freed free else Line { line; free }

let[@inline] free t =
  match Atomic.get t.permits with None_free -> 0 | Free n -> n | Line { free; _ } -> free

let[@inline] step t before after = Atomic.compare_and_set t.permits before after

let rec try_acquire t =
  match Atomic.get t.permits with
  | None_free | Line { free = 0; _ } -> false
  | Free n as before -> step t before (freed (n - 1)) || try_acquire t
  | Line { line; free } as before -> step t before (Line { line; free = free - 1 }) || try_acquire t

let rec call who =
  match Atomic.get who.state with
  | Waiting waiter as before ->
      if Atomic.compare_and_set who.state before Coming then ignore (Waiter.wake waiter : bool)
      else call who
  | Coming | Given -> ()

(* A step of those below, that leaves [line] and [free] permits. If both are left it calls the first;
   should that one leave, it makes such a step itself. *)
let move t before line free =
  step t before (permits line free)
  && begin
    if free > 0 && Line.length line > 0 then call (Line.first line);
    true
  end

let rec leave_line t who =
  match Atomic.get t.permits with
  | None_free | Free _ -> ()
  | Line { line; free } as before ->
      let rest = Line.without line who.ticket who in
      if not (rest == line || move t before rest free) then leave_line t who

(* Releasing *)

(* In seconds, and in turns: far less than anybody notices. A line shares it, so that nobody in it
   waits for longer; but each has more than it takes to come. *)
let patience = 0.005
let time_to_come = 0.00005
let most_turns = 10_000
let least_turns = 1_000

(* Counts from when it was first passed: were it from when it got in line, then in a long line all
   would be overdue, and no permit would ever be free. *)
let is_overdue who ~waiting =
  who.passed >= Int.max least_turns (most_turns / waiting)
  || who.passed > 0
     && System.now () -. who.since > Float.max time_to_come (patience /. float waiting)
  || begin
    if who.passed = 0 then who.since <- System.now ();
    who.passed <- who.passed + 1;
    false
  end

(* In a section. *)
let rec release_any t =
  match Atomic.get t.permits with
  | None_free -> step t None_free (few 1) || release_any t
  | Free n as before -> n < t.most && (step t before (freed (n + 1)) || release_any t)
  | Line { line; free } as before -> (
      let first = Line.first line in
      match Atomic.get first.state with
      | Waiting waiter as waiting when is_overdue first ~waiting:(Line.length line) ->
          if Atomic.compare_and_set first.state waiting Given then begin
            leave_line t first;
            ignore (Waiter.wake waiter : bool);
            true
          end
          else release_any t
      | Given ->
          (* A handler of a signal may have interrupted the one that gives. *)
          leave_line t first;
          release_any t
      | Coming | Waiting _ -> free < t.most && (move t before line (free + 1) || release_any t))

let[@poll error] release_few t =
  match Atomic.get t.permits with
  | None_free -> step t None_free (few 1)
  | Free n as before when n < t.most && n < most_few -> step t before (few (n + 1))
  | Free _ | Line _ -> false

let release_late t =
  let is_outermost = Section.enter () in
  let is_released = release_any t in
  Section.exit is_outermost;
  is_released

let[@inline] release t = release_few t || release_late t

(* Waiting *)

let rec join t who =
  let get_in_line before line =
    who.ticket <- Line.ticket line;
    step t before (Line { line = Line.join line who; free = 0 }) || join t who
  in
  match Atomic.get t.permits with
  | None_free as before -> get_in_line before Line.empty
  | Line { line; free = 0 } as before -> get_in_line before line
  | Free _ | Line _ -> (not (try_acquire t)) && join t who

let rec take_turn t who =
  match Atomic.get t.permits with
  | Line { line; free } as before when free > 0 ->
      move t before (Line.without line who.ticket who) (free - 1) || take_turn t who
  | None_free | Free _ | Line _ -> false

let wait_turn t who waiter =
  Waiter.hurry waiter;
  Atomic.set who.state (Waiting waiter);
  if free t > 0 then call who

(* [false] if it was given a permit. *)
let rec withdraw t who =
  match Atomic.get who.state with
  | Given -> false
  | Waiting _ as before ->
      ignore (Atomic.compare_and_set who.state before Coming : bool);
      withdraw t who
  | Coming ->
      leave_line t who;
      true

let rec await_permit wait t who =
  Seat.cancellable wait (wait_turn t who) ~withdraw:(fun () -> withdraw t who);
  if Atomic.get who.state != Given && not (Spin.until (fun () -> take_turn t who)) then
    await_permit wait t who

let acquire_by wait t holder =
  if not (Spin.until (fun () -> try_acquire t)) then begin
    let who = { state = Atomic.make Coming; ticket = 0; since = 0.; passed = 0 } in
    if join t who then await_permit wait t who
  end;
  t.hold.holder <- holder

let[@inline] acquire t holder =
  if try_acquire t then t.hold.holder <- holder else Section.run (acquire_by t.wait t) holder

(* Between the permit and the handler that gives it back there is no safepoint outside of a section, and
   the stack was reserved before. *)

let leave t =
  Hold.give_back t.hold;
  ignore (release t : bool)

let inside t f =
  match f () with
  | v ->
      leave t;
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      leave t;
      Printexc.raise_with_backtrace exn backtrace

let protect_late t holder f =
  let is_outermost = Section.enter () in
  match acquire_by t.wait t holder with
  | () ->
      inside t (fun () ->
          Section.exit is_outermost;
          f ())
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Section.exit is_outermost;
      Printexc.raise_with_backtrace exn backtrace

let[@inline] protect t holder f =
  Section.reserve_stack ();
  if try_acquire t then begin
    t.hold.holder <- holder;
    inside t f
  end
  else protect_late t holder f

let create ?name ~most n =
  let permits = Atomic.make (freed n) in
  let rec t = { most; permits; hold; wait }
  and hold =
    {
      Hold.name = Option.value name ~default:"";
      holder = Hold.nobody;
      release = (fun () -> leave t);
    }
  and wait register =
    if Option.is_some name then Wait.wait_for hold register else Wait.wait register
  in
  t
