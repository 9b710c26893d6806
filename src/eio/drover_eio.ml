(* The façade: what drover_eio.mli promises, by name. *)

let run = Fibers.run
let await = Fibers.await
let in_loop = Request.in_loop
let await_in_loop = Request.await_in_loop
let in_flight = Call.in_flight

module Chan = Channels
module Executor_pool = Executor_pool
