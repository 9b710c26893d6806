open Drover_harness

let work rounds =
  let x = ref 1 in
  for _ = 1 to rounds do
    x := ((!x * 1103515245) + 12345) land 0x3fffffff
  done;
  ignore (Sys.opaque_identity !x : int)

let rounds_for seconds =
  let probe = 10_000_000 in
  let (), took = Clock.time (fun () -> work probe) in
  int_of_float (float probe *. seconds /. took)
