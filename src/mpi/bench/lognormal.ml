(* Box and Muller's method. *)
let normal random =
  let u = 1. -. Random.State.float random 1. and v = Random.State.float random 1. in
  sqrt (-2. *. log u) *. cos (2. *. Float.pi *. v)

let times random n ~mean ~spread =
  Array.init n (fun _ -> mean *. exp ((spread *. normal random) -. (spread *. spread /. 2.)))
