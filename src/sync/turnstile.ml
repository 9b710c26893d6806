(* Turnstile.

   A passer-by takes a free permit, with one step. With none free it spins for a while, then gets in
   line and waits. To give a permit to the first in line would have all others wait until that one
   runs. So:

   1. The releaser makes the permit free, and calls the first in line, which is woken but stays the
      first.
   2. The first comes, takes a free permit, and leaves the line. If others were faster it waits
      again.
   3. When others have gone before it often enough, or for long, the releaser gives it the permit,
      which is not free then.

   Of one in line, the state is

     Coming --wait--> Waiting w --call--> Coming
                        +---------give--> Given
     any    --cancel--------------------> Coming   (it gives back what it was given, and leaves)

   While a permit is free, the first in line is Coming: each step that leaves a free permit and a line
   is followed by a look at the first ([move]); a waiter becomes Waiting and then looks for a free permit
   ([await_permit]).

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

(* Constants, for up to 4. *)
let[@inline] few = function 0 -> None_free | 1 -> Free 1 | 2 -> Free 2 | 3 -> Free 3 | _ -> Free 4
let[@inline] freed n = if n <= 4 then few n else Free n

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
  step t before (if Line.length line = 0 then freed free else Line { line; free })
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

(* Whether others have gone before the first in line often enough, or for long; far less than anybody
   notices. A line shares both limits, so that nobody in it waits for longer; but each has more than it
   takes to come.

   Time counts from when it was first passed: were it from when it got in line, then in a long line all
   would be overdue, and no permit would ever be free. *)
let is_overdue who ~waiting =
  who.passed >= Int.max 1_000 (10_000 / waiting)
  || (who.passed > 0 && System.now () -. who.since > Float.max 0.00005 (0.005 /. float waiting))
     (* seconds *)
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
  | Free n as before when n < t.most && n < 4 -> step t before (few (n + 1))
  | Free _ | Line _ -> false

let[@inline] release t =
  release_few t
  ||
  let is_outermost = Section.enter () in
  let is_released = release_any t in
  Section.exit is_outermost;
  is_released

(* Waiting *)

(* A short wait for what another domain is about to do: calls [f] until it is [true], but not for long;
   says whether it was. In a pool of one, another task most likely waits for this worker.

   It takes some microseconds, which is what it costs to suspend a task and to wake it. Between two looks
   it pauses each time twice as long, up to a limit: a look takes the cache line from the domain that the
   caller waits for. Kernel: mutex. *)
let spin_until f =
  let rec go left pause =
    f ()
    || left > 0
       && begin
         Shared.pause pause;
         go (left - pause) (Int.min 32 (2 * pause))
       end
  in
  let is_alone = Array.length (Worker.here ()).team.members = 1 in
  go (if is_alone then 0 else 200) 1

(* [false] if it has taken a free permit instead. *)
let rec join_line t who =
  let join before line =
    who.ticket <- Line.ticket line;
    step t before (Line { line = Line.join line who; free = 0 }) || join_line t who
  in
  match Atomic.get t.permits with
  | None_free as before -> join before Line.empty
  | Line { line; free = 0 } as before -> join before line
  | Free _ | Line _ -> (not (try_acquire t)) && join_line t who

let rec await_permit wait t who =
  (* Takes a free permit, and leaves the line. *)
  let rec come () =
    match Atomic.get t.permits with
    | Line { line; free } as before when free > 0 ->
        move t before (Line.without line who.ticket who) (free - 1) || come ()
    | None_free | Free _ | Line _ -> false
  in
  wait (fun waiter ->
      Waiter.hurry waiter;
      Atomic.set who.state (Waiting waiter);
      if free t > 0 then call who);
  if Atomic.get who.state != Given && not (spin_until come) then await_permit wait t who

let acquire_by wait t holder =
  if not (spin_until (fun () -> try_acquire t)) then begin
    let who = { state = Atomic.make Coming; ticket = 0; since = 0.; passed = 0 } in
    (* It is cancelled, or a signal's handler raises: it leaves the line, and what it was given. *)
    try if join_line t who then await_permit wait t who
    with exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      let was_given = Atomic.exchange who.state Coming == Given in
      leave_line t who;
      if was_given then ignore (release_any t : bool);
      Printexc.raise_with_backtrace exn backtrace
  end;
  t.hold.holder <- holder

let[@inline] acquire t holder =
  if try_acquire t then t.hold.holder <- holder else Section.run (acquire_by t.wait t) holder

let give_back t =
  Hold.give_back t.hold;
  ignore (release t : bool)

(* Between the permit and the handler that gives it back there is no safepoint outside of a section, and
   the stack was reserved before. *)
let protect t holder f =
  Section.reserve_stack ();
  acquire t holder;
  match f () with
  | v ->
      give_back t;
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      give_back t;
      Printexc.raise_with_backtrace exn backtrace

(* A race does no harm: only the caller itself writes its own number. A fiber of a host that comes
   again waits for itself. *)
let protect_alone caller t f =
  let me = Task.number () in
  if t.hold.holder = me && Task.is_told_apart () then
    invalid_arg ("Drover." ^ caller ^ ": called from within its own call");
  protect t me f

let create ?name aim ~most n =
  let permits = Atomic.make (freed n) in
  let rec t = { most; permits; hold; wait }
  and hold =
    {
      Hold.name = Option.value name ~default:"";
      holder = Hold.nobody;
      release = (fun () -> give_back t);
    }
  and wait register =
    if Option.is_some name then Wait.wait_for hold register else Wait.wait aim register
  in
  t
