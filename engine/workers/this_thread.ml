external self : unit -> Thread.t = "caml_thread_self" [@@noalloc]
external number : Thread.t -> int = "%field0"

let () = assert (number (self ()) = Thread.id (Thread.self ()))
let[@inline] number () = number (self ())

let directory () =
  match Unix.readlink "/proc/thread-self" with
  | thread -> Some ("/proc/" ^ thread)
  | exception Unix.Unix_error _ -> None
