(* Turnstile: permits that tasks and threads wait for. A permit is handed to who waits only if it
   waits still. *)

type t = Waiter.t Permits.t

(* Gives a permit back; [false] if there are too many. *)
let rec leave (t : t) =
  match Permits.release t with
  | Kept -> true
  | Too_many -> false
  | For waiter -> Waiter.wake waiter || leave t

let register t waiter =
  match Permits.acquire t waiter with
  | Queued ticket -> fun () -> Permits.leave t ticket waiter
  | Granted ->
      if not (Waiter.wake waiter) then ignore (leave t : bool);
      ignore

let enter (t : t) = if not (Permits.try_acquire t) then Waiting.until (register t)

(* [f ()] in the turnstile, which is for one. *)
let within t f = Waiting.between (fun () -> enter t) (fun () -> ignore (leave t : bool)) f
