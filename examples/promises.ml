(* A promise: start something now, ask for it later. What follows from promises takes no tasks. *)

let slow_square n =
  let rec spin steps = if steps > 0 then spin (steps - 1) in
  spin 100_000;
  n * n

let () =
  let promised = Drover.async (fun () -> slow_square 12) in
  let other = slow_square 5 in
  Printf.printf "%d\n" (other + Drover.await promised)

let () =
  let square n = Drover.async (fun () -> n * n) in
  let promises = List.map square [ 1; 2; 3; 4 ] in
  let squares = Drover.await (Drover.Promise.all promises) in
  List.iter (Printf.printf "%d\n") squares
