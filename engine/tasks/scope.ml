(* Scope.

   The body and the tasks each hold one place of [tasks]; when all are free, the daemons are
   cancelled, and when they and what they start then have ended too the scope does. The first
   failure cancels the scope's token, and with it all that runs in it. *)

(* How many are still inside. Once nobody is, nobody enters any more.

   The place of a task that could not be started is given back, unless the task has begun: whatever
   interrupts the start, nobody need know how far it has come.

   Starting --begin_--> Running --leave--> Left
   Starting --leave, give_up--> Left *)
module Places = struct
  type t = { taken : int Atomic.t; empty : unit Ivar.t }
  type stage = Starting | Running | Left
  type place = { places : t; stage : stage Atomic.t; mutable is_taken : bool }

  let create () = { taken = Atomic.make 1; empty = Ivar.create () }
  let place places = { places; stage = Atomic.make Starting; is_taken = false }

  (* Each of these is one step. *)

  let[@poll error] take place n =
    Atomic.compare_and_set place.places.taken n (n + 1)
    && begin
      place.is_taken <- true;
      true
    end

  let[@poll error] give_back place =
    if Atomic.exchange place.stage Left != Left then
      ignore (Atomic.fetch_and_add place.places.taken (-1) : int)

  let[@poll error] give_back_unless_begun place =
    if place.is_taken && Atomic.compare_and_set place.stage Starting Left then
      ignore (Atomic.fetch_and_add place.places.taken (-1) : int)

  let rec enter place =
    let n = Atomic.get place.places.taken in
    n > 0 && (take place n || enter place)

  let begin_ place = Atomic.compare_and_set place.stage Starting Running
  let is_empty p = Atomic.get p.taken = 0
  let look p = if is_empty p then ignore (Ivar.fill p.empty () : bool)

  (* These may be called again. *)

  let leave place =
    give_back place;
    look place.places

  let give_up place =
    give_back_unless_begun place;
    look place.places

  let await_empty p ~cancel =
    if not (Ivar.is_full p.empty) then Wait.until_ended (Ivar.on_fill p.empty) ~cancel
end

(* Why daemons are cancelled. *)
exception Over

type t = {
  team : Worker.team;
  context : Context.t; (* of its body and its tasks *)
  aside : Context.t; (* of its daemons *)
  tasks : Places.t;
  daemons : Places.t;
  body : Places.place; (* one of each *)
  watch : Places.place;
  mutable raised : exn; (* by the body; [Over] if nothing *)
  mutable failure : Failure.t option; (* the same, with its backtrace *)
  failures : Failure.t list Atomic.t; (* latest first *)
}

let rec add_failure s (failure : Failure.t) =
  failure.seen := true;
  let before = Atomic.get s.failures in
  (* The body may pass on what it got from a task. *)
  let is_known = List.exists (fun (f : Failure.t) -> f.exn == failure.exn) before
  (* More are not carried by the first. *)
  and are_enough = List.compare_length_with before Failure.latest > 0 in
  let after = Error_group.with_failure failure before in
  if not (is_known || are_enough || Atomic.compare_and_set s.failures before after) then
    add_failure s failure

(* What ran in [context] failed. A cancellation is the consequence of something else. *)
let fail s (context : Context.t) (failure : Failure.t) =
  match failure.exn with
  | Token.Cancelled _ when Token.is_cancelled context.token -> failure.seen := true
  | exn ->
      add_failure s failure;
      Token.cancel s.context.token (Error_group.reason exn)

let cancel s exn =
  if not (Token.is_cancelled s.context.token || Places.is_empty s.tasks) then
    fail s s.context { exn; backtrace = Printexc.get_callstack 0; seen = ref true }

let create (w : Worker.t) =
  let here = w.context in
  let token = Token.task here.token in
  let aside = Token.task token in
  let tasks = Places.create () and daemons = Places.create () in
  let body = Places.place tasks and watch = Places.place daemons in
  ignore (Token.start token : bool);
  ignore (Token.start aside : bool);
  {
    team = w.team;
    context = { here with token };
    aside = { here with token = aside };
    tasks;
    daemons;
    body;
    watch;
    raised = Over;
    failure = None;
    failures = Atomic.make [];
  }

(* What interrupts the caller, such as a fork that failed, need not be above the scope's token. *)
let join s =
  let cancel = Token.cancel s.context.token in
  Places.leave s.body;
  Places.await_empty s.tasks ~cancel;
  Token.cancel s.aside.token Over;
  Places.leave s.watch;
  Places.await_empty s.daemons ~cancel;
  Token.finish s.aside.token;
  Token.finish s.context.token

(* Its body is in the scope wherever it is resumed. *)
let enter s (outer : Context.t) =
  let token = s.context.token in
  Token.surround ~outer:outer.token token;
  { outer with token }

(* Is done to its end, whatever raises meanwhile. *)
let conclude s =
  if s.raised != Over && Option.is_none s.failure then s.failure <- Some (Failure.caught s.raised);
  Option.iter (fail s s.context) s.failure;
  join s

(* Nothing comes between the end of the body and [conclude]. *)
let run_body s f =
  match f () with
  | value ->
      Critical.finish_with conclude s;
      Some value
  | exception exn ->
      s.raised <- exn;
      Critical.finish_with conclude s;
      None

let run_here w f =
  let s = create w in
  Critical.reserve_stack ();
  let body () = Extent.within (enter s) (fun () -> f s) in
  let value = run_body s body in
  match List.rev (Atomic.get s.failures) with
  | first :: others -> Failure.raise_first first others
  | [] ->
      Option.iter Failure.raise s.failure;
      Task.poll ();
      Option.get value

let run f = Pool.inside (fun () -> run_here (Option.get (Worker.mine ())) f)

(* A task that holds [place]; [None] if the scope has ended. *)
let start_at place caller s (context : Context.t) f =
  let on_end _ outcome =
    Result.iter_error (fail s context) outcome;
    Places.leave place
  in
  let body () = if Places.begin_ place then f () else raise (Token.Cancelled Over) in
  let here = Task.started_here (Context.task context) in
  if not (Places.enter place) then None
  else
    match Promise.start s.team here ~on_end body with
    | Some _ as promise -> promise
    | None -> invalid_arg ("Drover.Scope." ^ caller ^ ": the pool is closed")

(* A task of the scope, which holds one of [places]. What daemons start when the tasks have ended is
   for nobody but them, and so a daemon too. *)
let rec start caller s (places : Places.t) context f =
  let place = Places.place places in
  match start_at place caller s context f with
  | Some promise -> promise
  | None when places != s.daemons -> start caller s s.daemons s.aside f
  | None -> invalid_arg ("Drover.Scope." ^ caller ^ ": the scope has ended")
  | exception exn -> Critical.raise_after Places.give_up place exn

let async s f = start "async" s s.tasks s.context f
let spawn s f = ignore (start "spawn" s s.tasks s.context f : unit Promise.t)
let daemon s f = ignore (start "daemon" s s.daemons s.aside f : unit Promise.t)

let[@inline] check () =
  let w = Worker.here () in
  Worker.pass_point w;
  if Token.is_interrupted w.context.token then Task.poll ()

(* The token is over when its work has ended: then this does nothing. *)
let canceller () =
  match Worker.mine () with
  | Some { context = { token; _ }; _ } ->
      Token.make_known token;
      fun exn -> Token.cancel token exn
  | None -> invalid_arg "Drover.Scope.canceller: not in a task"

(* What [f] has locked, and not unlocked, is the caller's then. *)
let protect f =
  match Worker.mine () with
  | None -> f ()
  | Some w ->
      let token = Token.root ignore and whole = w.context.token in
      Critical.finally
        (fun () -> Extent.within (fun outer -> { outer with token; interruptible = false }) f)
        (fun () -> Token.hand_on token whole)

(* Why the others of a race are cancelled. *)
exception Lost

let race s winner f =
  let outcome = Failure.catch f in
  if Atomic.compare_and_set winner None (Some outcome) then Token.cancel s.context.token Lost
  else
    match outcome with
    | Error { exn = Token.Cancelled _; _ } | Ok _ -> ()
    | Error failure -> Failure.report failure

let first fs =
  if fs = [] then invalid_arg "Drover.Scope.first: nothing to race";
  let winner = Atomic.make None in
  let start s = List.iter (fun f -> spawn s (fun () -> race s winner f)) fs in
  (* The body may be interrupted, when a racer has won. *)
  (try run start with Token.Cancelled Lost when Option.is_some (Atomic.get winner) -> ());
  match Atomic.get winner with
  | Some outcome -> Failure.get outcome
  | None -> assert false (* each of them tried to win before the scope ended *)

let suppressed = Failure.attached
