(* Random numbers that are the same on any number of domains. *)

let pi rng n =
  let hits rng _ =
    let x = Random.State.float rng 1. and y = Random.State.float rng 1. in
    if (x *. x) +. (y *. y) < 1. then 1 else 0
  in
  let hits = Drover.Rng.reduce rng n ~init:0 ~combine:( + ) hits in
  4. *. float hits /. float n

let () =
  let pi domains =
    Drover.run ~domains (fun () -> pi (Random.State.make [| 42 |]) 100_000)
  in
  Printf.printf "%.2f\n" (pi 1);
  Printf.printf "the same: %b\n" (pi 1 = pi 2)
