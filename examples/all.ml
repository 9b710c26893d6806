(* Several independent computations, their results in order. *)

let digits n = String.length (Int.to_string n)

let rec collatz steps n =
  if n = 1 then steps
  else collatz (steps + 1) (if n land 1 = 0 then n / 2 else (3 * n) + 1)

let () =
  let results =
    Drover.all
      [
        (fun () -> digits max_int);
        (fun () -> collatz 0 27);
        (fun () -> 6 * 7);
      ]
  in
  List.iter (Printf.printf "%d\n") results
