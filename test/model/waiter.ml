(* Stands for the scheduler's waiter in the copied sources of sync. A process that waits is left
   behind, and whoever wakes it runs the rest of it at once. *)

type state = Waiting of (unit -> unit) | Ended

(* Untraced, because only the process itself looks at it, when it runs again. *)
type t = { state : state Atomic.t; mutable is_cancelled : bool }
type _ Effect.t += Suspend : (t -> unit) * (t -> unit) -> unit Effect.t

exception Cancelled = Token.Cancelled

let finish w =
  match Atomic.exchange w.state Ended with Waiting resume -> Some resume | Ended -> None

let wake w =
  match finish w with
  | Some resume ->
      resume ();
      true
  | None -> false

let cancel w =
  match finish w with
  | Some resume ->
      w.is_cancelled <- true;
      resume ()
  | None -> ()

let of_thread () = { state = Atomic.make Ended; is_cancelled = false }

(* There is no other work. *)
let hurry (_ : t) = ()

let wait register =
  let waiter = ref None in
  Effect.perform (Suspend (register, fun w -> waiter := Some w));
  match !waiter with
  | Some { is_cancelled = true; _ } -> raise (Cancelled Exit)
  | Some _ | None -> ()

(* Calls [f] so that it can wait. It ends when [f] ends or waits. *)
let run f ~then_ =
  let open Effect.Deep in
  match f () with
  | () -> ()
  | effect Suspend (register, tell), k ->
      let resume () = continue k () in
      let w = { state = Atomic.make (Waiting resume); is_cancelled = false } in
      tell w;
      register w;
      then_ w

let process f () = run f ~then_:ignore

(* The same for an [f] whose waits are cancelled, sooner or later. *)
let impatient f () = run f ~then_:cancel
