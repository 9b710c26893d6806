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

let refuse caller m =
  ignore (Turnstile.leave m.turnstile : bool);
  invalid_arg
    (Printf.sprintf "Drover.Mutex.%s: %s is lost: the task that held it has ended" caller
       m.hold.name)

(* The caller came through. A thread outside any task does not end before its own time. *)
let[@inline] hold caller m =
  if m.is_abandoned then refuse caller m;
  match Worker.mine () with
  | Some w when w.context != Context.none -> Token.hold w.context.token.fiber m.hold
  | Some _ | None -> ()

let lock m =
  Turnstile.enter m.turnstile;
  hold "lock" m

let try_lock m =
  Permits.try_acquire m.turnstile
  && begin
    hold "try_lock" m;
    true
  end

let is_locked m = Permits.free m.turnstile = 0

let unlock m =
  Hold.give_back m.hold;
  if not (Turnstile.leave m.turnstile) then
    invalid_arg ("Drover.Mutex.unlock: " ^ m.hold.name ^ " is not locked")

(* Also if the calling task is cancelled. *)
let lock_in_any_case m =
  if not (Permits.try_acquire m.turnstile) then
    Scope.protect (fun () -> Turnstile.enter m.turnstile);
  hold "lock" m

let protect m f = Waiting.between (fun () -> lock m) (fun () -> unlock m) f
