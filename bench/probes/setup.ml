open Drover_harness
module Task = Domainslib.Task

let drover () = Drover.Pool.close (Drover.Pool.create ~domains:2 ())

let drover_used () =
  let pool = Drover.Pool.create ~domains:2 () in
  Drover.Pool.run pool ignore;
  Drover.Pool.close pool

let facade () = Domainslib_task.(teardown_pool (setup_pool ~num_domains:1 ()))
let domainslib () = Task.teardown_pool (Task.setup_pool ~num_domains:1 ())

let run (s : Probe.settings) =
  let times = Kernel.by_size s.size ~tiny:3 ~quick:200 ~full:2000 in
  let us label seconds = Probe.figure label "us" (seconds *. 1e6) in
  match Turns.medians times [ drover; drover_used; facade; domainslib ] with
  | [ drover; used; facade; domainslib ] ->
      [
        us "drover, create and close" drover;
        us "drover, create, run nothing and close" used;
        us "drover.domainslib, set up and tear down" facade;
        us "domainslib, set up and tear down" domainslib;
        Probe.ratio ~goal:(At_most 1.2) "drover over domainslib" drover domainslib;
      ]
  | _ -> assert false (* one median for each version *)

let probe : Probe.t = { name = "setup"; doc = "a pool of two domains made and closed"; run }
