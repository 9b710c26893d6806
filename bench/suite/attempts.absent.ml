(* Without ppxlib. *)
let kernels = []
