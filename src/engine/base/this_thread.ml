external tag : unit -> int = "drover_thread_tag" [@@noalloc]
external set_tag : int -> unit = "drover_thread_set_tag" [@@noalloc]
external self : unit -> Thread.t = "caml_thread_self" [@@noalloc]
external number : Thread.t -> int = "%field0"
external stack : unit -> int = "drover_stack_id" [@@noalloc]
external stack_may_double : unit -> bool = "drover_stack_may_double" [@@noalloc]

let () = assert (number (self ()) = Thread.id (Thread.self ()))
let[@inline] number () = number (self ())

type domain

external domain : unit -> domain = "%dls_get"
