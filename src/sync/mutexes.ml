(* Mutex: a turnstile for one, that knows which task holds it. When that task ends, it is
   unlocked. *)

type t = {
  hold : Hold.t;
  turnstile : Turnstile.t;
  wait : (Waiter.t -> unit) -> unit; (* for [hold] *)
}

(* Made while [hold] is held; may be repeated. *)
let unlocking turnstile hold =
  Turnstile.leaving turnstile (fun () -> Hold.give_back hold) { Permits.held = 1 }

let create ?(name = "a mutex") () =
  let turnstile = Permits.create ~most:1 1 in
  let rec hold =
    { Hold.name; holder = Hold.nobody; release = (fun () -> unlocking turnstile hold) }
  in
  { hold; turnstile; wait = Wait.wait_for hold }

let name m = m.hold.name

(* Before it is locked, so that nothing is left to do then but a store. A thread outside any task
   does not end before its own time. *)
let[@inline] holder m =
  match Worker.mine () with
  | Some w when w.context != Context.none -> Token.may_hold w.context.token m.hold
  | Some _ | None -> Hold.nobody

let[@inline] lock m =
  let holder = holder m in
  Turnstile.enter_by m.wait m.turnstile;
  m.hold.holder <- holder

let try_lock m =
  let holder = holder m in
  Permits.try_acquire m.turnstile
  && begin
    m.hold.holder <- holder;
    true
  end

let is_locked m = Permits.free m.turnstile = 0

(* Where another has unlocked it just as the caller had locked it, the caller was noted too late. *)
let not_locked caller m =
  let me = holder m in
  if me <> Hold.nobody && m.hold.holder = me then Hold.give_back m.hold;
  invalid_arg ("Drover." ^ caller ^ ": " ^ m.hold.name ^ " is not locked")

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
  Turnstile.between m.wait m.turnstile f
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
  (* A fiber of a host that was cancelled can only block its thread when it comes back. *)
  let wait = ref m.wait in
  let enter () =
    let wait_now = !wait in
    wait := Wait.in_any_case;
    Turnstile.enter_by wait_now m.turnstile;
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
