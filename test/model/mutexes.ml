(* Stands for the mutexes of sync, without what they do for tasks that end. *)

type t = Turnstile.t

let create () : t = Permits.create ~most:1 1
let name (_ : t) = "a mutex"
let lock = Turnstile.enter
let lock_in_any_case = lock
let unlock m = ignore (Turnstile.leave m : bool)
let is_locked m = Permits.free m = 0
