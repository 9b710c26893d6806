(* Semaphore: a turnstile with a count. *)

type t = Turnstile.t

let create n =
  if n < 0 then invalid_arg "Drover.Semaphore.create: the count is negative";
  Turnstile.create ~most:max_int n

let acquire s = Turnstile.acquire s Hold.nobody
let try_acquire = Turnstile.try_acquire

let release s =
  Section.reserve_stack ();
  if not (Turnstile.release s) then invalid_arg "Drover.Semaphore.release: too many permits"

let free = Turnstile.free
let protect s f = Turnstile.protect s Hold.nobody f
