(* Stands for the locks of sync: mutexes without what they do for tasks that end. *)

module Mutex = struct
  type t = Turnstile.t

  let create () : t = Turnstile.create "" ~most:1 1
  let lock m = Turnstile.acquire ~n:1 m Hold.nobody
  let unlock m = ignore (Turnstile.release ~n:1 m : bool)
  let is_locked m = Turnstile.free m = 0
end

let not_locked _ (_ : Mutex.t) = invalid_arg "not locked"
let unlock_for _ m = Mutex.unlock m
let lock_in_any_case m () = Mutex.lock m
