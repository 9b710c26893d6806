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

(* One for one at a time, who must not come again while inside. *)
type sole = { turnstile : t; mutable inside : int }

let sole () = { turnstile = Permits.create ~most:1 1; inside = Hold.nobody }

(* A race does no harm: only the caller itself writes its own number. *)
let within caller s f =
  let me = Task.number () in
  if s.inside = me then invalid_arg ("Drover." ^ caller ^ ": called again by what it calls");
  let go_in () =
    enter s.turnstile;
    s.inside <- me
  and go_out () =
    s.inside <- Hold.nobody;
    ignore (leave s.turnstile : bool)
  in
  Waiting.between go_in go_out f
