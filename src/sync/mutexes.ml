(* Mutex: a turnstile for one, that knows which task holds it.

   When that task ends, the mutex is abandoned, for good: whoever gets through the turnstile then
   lets the next one in and fails. *)

type t = { hold : Hold.t; turnstile : Turnstile.t; mutable is_abandoned : bool }

let abandon m =
  m.is_abandoned <- true;
  ignore (Turnstile.leave m.turnstile : bool)

let create ?(name = "a mutex") () =
  let turnstile = Permits.create ~most:1 1 in
  let rec m =
    {
      hold = { name; holder = Hold.nobody; abandon = (fun () -> abandon m) };
      turnstile;
      is_abandoned = false;
    }
  in
  m

let name m = m.hold.name

let lost caller m =
  invalid_arg
    (Printf.sprintf "Drover.Mutex.%s: %s is lost: the task that held it has ended" caller
       m.hold.name)

(* The caller has locked [m]. An abandoned mutex need not be left exactly once. *)
let refuse caller m =
  Hold.give_back m.hold;
  Critical.finish m.hold.abandon;
  lost caller m

let[@inline] check_not_lost caller m = if m.is_abandoned then refuse caller m

(* Before it is locked, so that nothing is left to do then but a store. A thread outside any task
   does not end before its own time. *)
let[@inline] holder m =
  match Worker.mine () with
  | Some w when w.context != Context.none -> Token.may_hold w.context.token.fiber m.hold
  | Some _ | None -> Hold.nobody

let[@inline] lock m =
  let holder = holder m in
  Turnstile.enter m.turnstile;
  m.hold.holder <- holder;
  check_not_lost "lock" m

let try_lock m =
  let holder = holder m in
  Permits.try_acquire m.turnstile
  && begin
    m.hold.holder <- holder;
    check_not_lost "try_lock" m;
    true
  end

let is_locked m = Permits.free m.turnstile = 0
let not_locked caller m = invalid_arg ("Drover." ^ caller ^ ": " ^ m.hold.name ^ " is not locked")

let unlock_line m =
  if not (is_locked m && Turnstile.leave_line m.turnstile (fun () -> Hold.give_back m.hold)) then
    not_locked "Mutex.unlock" m

let unlock m =
  if
    not
      (Permits.none_free m.turnstile
      && begin
        Hold.give_back m.hold;
        Permits.release_only m.turnstile
      end)
  then unlock_line m

let protect m f =
  let holder = holder m in
  let inside () =
    if m.is_abandoned then lost "lock" m;
    f ()
  in
  Turnstile.between m.turnstile inside
    ~on_enter:(fun () -> m.hold.holder <- holder)
    ~on_leave:(fun () -> Hold.give_back m.hold)

(* For a wait that unlocks [m] and locks it again: made before it begins, and to be finished in any
   case. *)
type pause = { unlock : unit -> unit; is_unlocked : unit -> bool; lock : unit -> unit }

let pause m =
  let hand = { Permits.held = 1 } and is_locked_again = ref false and holder = holder m in
  let note () =
    is_locked_again := true;
    m.hold.holder <- holder
  in
  let enter () =
    Turnstile.enter m.turnstile;
    note ()
  in
  (* Also if the calling task is cancelled. *)
  let lock () =
    if not !is_locked_again then
      if Permits.try_acquire m.turnstile then note () else Scope.protect enter
  in
  {
    unlock = Turnstile.leaving m.turnstile (fun () -> Hold.give_back m.hold) hand;
    is_unlocked = (fun () -> hand.held = 0);
    lock;
  }
