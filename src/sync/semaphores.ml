(* Semaphore: a turnstile with a count. *)

type t = Turnstile.t

let create n =
  if n < 0 then invalid_arg "Drover.Semaphore.create: the count is negative";
  Permits.create ~most:max_int n

let acquire s = Turnstile.enter s
let try_acquire = Permits.try_acquire

let release s =
  if not (Turnstile.leave s) then invalid_arg "Drover.Semaphore.release: too many permits"

let free = Permits.free
let protect s f = Turnstile.between Wait.wait s ~on_enter:ignore ~on_leave:ignore f
