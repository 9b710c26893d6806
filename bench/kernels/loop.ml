open Drover_harness

type t = start:int -> finish:int -> (int -> unit) -> unit

let serial ~start ~finish body =
  for i = start to finish do
    body i
  done

let drover ~start ~finish body = Drover.parallel_for ~start ~finish body
let domainslib pool ~start ~finish body = Domainslib.Task.parallel_for ~start ~finish ~body pool

let versions solve =
  [ Kernel.drover (solve drover); Kernel.domainslib (fun pool -> solve (domainslib pool)) ]
