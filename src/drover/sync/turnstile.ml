(* Turnstile.

   A passer-by takes the permits that it needs, with one step. Without enough free it spins for a while,
   then gets in line and waits. To give a permit to the first in line would have all others wait until that
   one runs. So:

   1. The releaser makes the permit free, and calls the first in line if there are enough for it, which is
      woken but stays the first.
   2. The first comes, takes its permits, and leaves the line. If others were faster it waits again.
   3. When others have gone before it often enough, or for long, the releaser gives it the permit,
      which is not free then.
   4. Nobody goes before a first in line that needs several permits: they stay free until there are
      enough for it. So it is given none.

   Of one in line, the state is

     Coming --wait--> Waiting w --call--> Coming --come--> Came
                        +---------give--> Given w
     any    --cancel--------------------> Coming   (it gives back what it has, and leaves)

   While enough permits for the first in line are free, it is Coming: each step that leaves these and a
   line is followed by a look at the first ([look_at_first]); a waiter becomes Waiting and then looks for free
   permits ([await_permits]).

   A signal's handler may raise wherever something is allocated, but not between a step and the note of it: so who
   releases or leaves goes on from there, and looks at the first once more.

   A step between few permits and none allocates nothing: what locks do most of the time. Probe:
   mutex. *)

type state = Coming | Waiting of Waiter.t | Given of Waiter.t | Came

type who = {
  state : state Atomic.t;
  need : int;
  mutable ticket : int;
  mutable since : float;
  mutable passed : int; (* how often others went before it; a race does no harm *)
}

type permits = None_free | Free of int | Line of { line : who Line.t; free : int } (* not empty *)

type t = {
  mutable permits : permits; [@atomic]
  mutable taken : int; (* how often; a race does no harm *)
  total : int; (* at first *)
  most : int;
  hold : Hold.t;
  wait : (Waiter.t -> unit) -> unit;
  (* Nothing, nearly as long as a line of the cache: so each of many mutexes, in an array, has its own. *)
  room_1 : int;
  room_2 : int;
  room_3 : int;
  room_4 : int;
}
[@@warning "-unused-field"]

let[@inline] permits t = Atomic.Loc.get [%atomic.loc t.permits]
let hold t = t.hold
let total t = t.total

(* Constants, for up to 4. *)
let[@inline] few = function 0 -> None_free | 1 -> Free 1 | 2 -> Free 2 | 3 -> Free 3 | _ -> Free 4
let[@inline] freed n = if n <= 4 then few n else Free n
let[@inline] free t = match permits t with None_free -> 0 | Free n -> n | Line { free; _ } -> free
let[@inline] step t before after = Atomic.Loc.compare_and_set [%atomic.loc t.permits] before after

(* Whether others may go before the first in line. *)
let[@inline] may_pass line = (Line.first line).need = 1

type attempt = Taken | Overtaken | Too_few

let[@inline] taken_if t is_taken =
  if is_taken then begin
    t.taken <- t.taken + 1;
    Taken
  end
  else Overtaken

let[@inline] attempt ~n t =
  match permits t with
  | Free free as before when free >= n -> taken_if t (step t before (freed (free - n)))
  | Line { line; free } as before when free >= n && may_pass line ->
      taken_if t (step t before (Line { line; free = free - n }))
  | None_free | Free _ | Line _ -> Too_few

let rec try_acquire ~n t =
  match attempt ~n t with Taken -> true | Too_few -> false | Overtaken -> try_acquire ~n t

let wake_once waiter = ignore (Waiter.wake waiter : bool)

(* After a step that only this caller makes: so in any case. *)
let wake waiter = Shared.insist wake_once waiter

let rec call who =
  match Atomic.get who.state with
  | Waiting waiter as before ->
      if Atomic.compare_and_set who.state before Coming then wake waiter else call who
  | Coming | Given _ | Came -> ()

(* A step of those below. *)
let[@inline] move t before line free =
  step t before (if Line.length line = 0 then freed free else Line { line; free })

let rec leave_line t who =
  match permits t with
  | None_free | Free _ -> ()
  | Line { line; free } as before ->
      let rest = Line.without line who.ticket who in
      if not (rest == line || move t before rest free) then leave_line t who

(* Calls the first in line if there are enough permits for it; should that one leave, it looks itself. What was given
   to the first is its own. May be called again. *)
let rec look_at_first t =
  match permits t with
  | None_free | Free _ -> ()
  | Line { line; free } -> (
      let first = Line.first line in
      match Atomic.get first.state with
      | Given waiter ->
          wake waiter;
          leave_line t first;
          look_at_first t
      | Waiting _ | Coming | Came -> if free >= first.need then call first)

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

(* Releases those that are [left], and then looks at the first. *)
let rec release_left t left =
  let n = !left in
  match permits t with
  | _ when n = 0 ->
      look_at_first t;
      true
  | None_free -> note_released t None_free (freed n) left
  | Free free as before -> free <= t.most - n && note_released t before (freed (free + n)) left
  | Line { line; free } as before -> (
      let first = Line.first line in
      match Atomic.get first.state with
      | Waiting waiter as waiting
        when first.need = 1 && is_overdue first ~waiting:(Line.length line) ->
          if Atomic.compare_and_set first.state waiting (Given waiter) then left := n - 1;
          look_at_first t;
          release_left t left
      | Given _ ->
          (* A handler of a signal may have interrupted the one that gives. *)
          look_at_first t;
          release_left t left
      | Coming | Waiting _ | Came ->
          free <= t.most - n && note_released t before (Line { line; free = free + n }) left)

and note_released t before after left =
  if step t before after then left := 0;
  release_left t left

let rec release_in_any_case t left =
  match release_left t left with
  | is_released -> is_released
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      ignore (release_in_any_case t left : bool);
      Printexc.raise_with_backtrace exn backtrace

(* In a section. *)
let rec release_any ~n t =
  match ref n with
  | left -> release_in_any_case t left
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      ignore (release_any ~n t : bool);
      Printexc.raise_with_backtrace exn backtrace

let[@poll error] release_few t =
  match permits t with
  | None_free -> step t None_free (few 1)
  | Free n as before when n < t.most && n < 4 -> step t before (few (n + 1))
  | Free _ | Line _ -> false

let[@inline] release ~n t =
  (n = 1 && release_few t)
  ||
  let is_outermost = Section.enter () in
  match release_any ~n t with
  | is_released ->
      Section.exit is_outermost;
      is_released
  | exception exn -> Failure.raise_after Section.exit is_outermost exn

(* Waiting *)

(* Spinning: calls [attempt] until it has taken permits, but not for long; says whether it has. In a pool of one,
   another task most likely waits for this worker.

   While nobody takes permits it spins for some microseconds, which is what it costs to suspend a task and to wake
   it. Where one holder follows another they hold permits for a short time, and many want them: to suspend all of
   these, and to wake them one after the other, would take longer than to spin on. So it does, within a limit.

   Between two looks it pauses, each time for longer: a look takes the cache line from the domain that it waits for.
   Kernel: mutex; program: mutex, from 32 workers on. *)

(* Pauses *)
let while_held = 200
let at_most = 3000
let when_overtaken = 32

let spin t attempt =
  let rec go ~held ~left ~pause taken =
    match attempt () with
    | Taken -> true
    | (Overtaken | Too_few) when held <= 0 || left <= 0 -> false
    | Overtaken when pause < when_overtaken ->
        go ~held ~left ~pause:(Shared.back_off when_overtaken) taken
    | Overtaken | Too_few ->
        let longer = Shared.back_off pause and now = t.taken in
        let held = if now = taken then held - pause else while_held in
        go ~held ~left:(left - pause) ~pause:longer now
  in
  let is_alone = Array.length (Worker.here ()).team.members = 1 in
  go ~held:(if is_alone then 0 else while_held) ~left:at_most ~pause:1 t.taken

(* [false] if it has taken free permits instead. *)
let rec join_line t who pause =
  let join before line free =
    who.ticket <- Line.ticket line;
    step t before (Line { line = Line.join line who; free })
    || join_line t who (Shared.back_off pause)
  in
  match permits t with
  | None_free as before -> join before Line.empty 0
  | Free free as before when free < who.need -> join before Line.empty free
  | Line { line; free } as before when free < who.need || not (may_pass line) ->
      join before line free
  | Free _ | Line _ -> (not (try_acquire ~n:who.need t)) && join_line t who pause

let may_come who line free = free >= who.need && (Line.first line == who || may_pass line)

let rec await_permits wait t who =
  (* Takes free permits, and leaves the line. *)
  let come () =
    match permits t with
    | Line { line; free } as before when may_come who line free ->
        let has_come = move t before (Line.without line who.ticket who) (free - who.need) in
        if has_come then begin
          Atomic.set who.state Came;
          look_at_first t
        end;
        taken_if t has_come
    | None_free | Free _ | Line _ -> Too_few
  in
  wait (fun waiter ->
      Waiter.hurry waiter;
      Atomic.set who.state (Waiting waiter);
      match permits t with
      | Line { line; free } when may_come who line free -> call who
      | None_free | Free _ | Line _ -> ());
  match Atomic.get who.state with
  | Given _ -> ()
  | Coming | Waiting _ | Came -> if not (spin t come) then await_permits wait t who

let leave_once t who =
  (match Atomic.exchange who.state Coming with
  | Given _ | Came -> ignore (release_any ~n:who.need t : bool)
  | Coming | Waiting _ -> ());
  leave_line t who;
  look_at_first t

(* Gives back what it has, and leaves the line, in any case: as [Shared.insist], without a closure. *)
let rec leave t who =
  try leave_once t who
  with exn ->
    let backtrace = Printexc.get_raw_backtrace () in
    leave t who;
    Printexc.raise_with_backtrace exn backtrace

(* A race does no harm: only the caller itself writes its own number. A fiber of a host that comes again has
   the number of its thread: it waits for itself. *)
let is_held_by holder t = holder <> Hold.nobody && t.hold.holder = holder && Task.is_told_apart ()

(* Of a semaphore there is none. *)
let[@inline] note_holder t holder = if holder <> Hold.nobody then t.hold.holder <- holder

let acquire_by wait ~n t holder =
  if is_held_by holder t then
    invalid_arg ("Drover.Mutex: " ^ t.hold.name ^ " is locked by its caller already");
  if not (spin t (fun () -> attempt ~n t)) then begin
    let who = { state = Atomic.make Coming; need = n; ticket = 0; since = 0.; passed = 0 } in
    (* It is cancelled, or a signal's handler raises: it leaves the line, and gives back what it has. *)
    try if join_line t who 1 then await_permits wait t who
    with exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      leave t who;
      Printexc.raise_with_backtrace exn backtrace
  end;
  note_holder t holder

let[@inline] acquire ~n t holder =
  Point.pass ();
  if try_acquire ~n t then note_holder t holder else Section.run (acquire_by t.wait ~n t) holder

let give_back ~n t =
  Hold.give_back t.hold;
  ignore (release ~n t : bool)

(* Between the permit and the handler that gives it back there is no safepoint outside of a section, and
   the stack was reserved before. *)
let protect ~n t holder f =
  Section.reserve_stack ();
  acquire ~n t holder;
  match f () with
  | v ->
      give_back ~n t;
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      give_back ~n t;
      Printexc.raise_with_backtrace exn backtrace

let create ?name aim ~most total =
  let rec t =
    {
      permits = freed total;
      taken = 0;
      total;
      most;
      hold;
      wait;
      room_1 = 0;
      room_2 = 0;
      room_3 = 0;
      room_4 = 0;
    }
  and hold =
    {
      Hold.name = Option.value name ~default:"";
      holder = Hold.nobody;
      release = (fun () -> give_back ~n:1 t);
    }
  and wait register =
    if Option.is_some name then Wait.wait_for hold register else Wait.wait aim register
  in
  t
