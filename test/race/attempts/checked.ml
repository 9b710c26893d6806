open Drover_harness

(* Wrong on purpose. *)
let is_wrong (k : Kernel.t) = k.name = "asian-shared"

let () =
  let wrong, others = List.partition is_wrong Drover_attempts_checked.All.kernels in
  Race_suite.Suite.main (if Array.mem "asian-shared" Sys.argv then wrong else others)
