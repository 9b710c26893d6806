external self : unit -> Thread.t = "caml_thread_self" [@@noalloc]
external number : Thread.t -> int = "%field0"

let () = assert (number (self ()) = Thread.id (Thread.self ()))
let[@inline] number () = number (self ())
