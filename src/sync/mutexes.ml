(* Mutex: a turnstile for one. *)

type t = { name : string; turnstile : Turnstile.t }

let create ?(name = "a mutex") () = { name; turnstile = Permits.create ~most:1 1 }
let name m = m.name
let lock m = Turnstile.enter m.turnstile
let try_lock m = Permits.try_acquire m.turnstile

let unlock m =
  if not (Turnstile.leave m.turnstile) then
    invalid_arg ("Drover.Mutex.unlock: " ^ m.name ^ " is not locked")

let is_locked m = Permits.free m.turnstile = 0
let protect m f = Waiting.between (fun () -> lock m) (fun () -> unlock m) f
