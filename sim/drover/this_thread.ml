open Drover_machine.World

let tag () = (me ()).tag
let set_tag n = (me ()).tag <- n
let number () = (me ()).number

external stack : unit -> int = "drover_stack_id" [@@noalloc]
external stack_may_double : unit -> bool = "drover_stack_may_double" [@@noalloc]

type domain = Drover_machine.World.domain

let domain () = (fun { domain; _ } -> domain) (me ())
