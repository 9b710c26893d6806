(* The façade: what drover_lwt.mli promises, by name. *)

let detach = Detached.detach
let start = Detached.start
let run_in_main = Main_loop.run_in_main
let await = Main_loop.await
let max_in_flight () = Limit.most Detached.of_all
let in_flight () = Limit.in_flight Detached.of_all

let set_max_in_flight n =
  if n < 1 then invalid_arg "Drover_lwt.set_max_in_flight: n < 1";
  Limit.set Detached.of_all n

module Stream = Streams
module Preemptive = Preemptive
