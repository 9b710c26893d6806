(* Stands for the mutexes of sync, without what they do for tasks that end. *)

type t = Turnstile.t

let create () : t = Permits.create ~most:1 1
let lock m = Turnstile.enter m
let unlock m = ignore (Turnstile.leave m : bool)
let is_locked m = Permits.free m = 0
let not_locked _ (_ : t) = invalid_arg "not locked"

type pause = { unlock : unit -> unit; is_unlocked : unit -> bool; lock : unit -> unit }

let pause m =
  let hand = { Permits.held = 1 } in
  {
    unlock = Turnstile.leaving m ignore hand;
    is_unlocked = (fun () -> hand.held = 0);
    lock = (fun () -> lock m);
  }
