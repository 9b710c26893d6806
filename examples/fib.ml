(* Fork and join: [both] runs two functions, perhaps in parallel. *)

let rec serial_fib n =
  if n < 2 then n else serial_fib (n - 1) + serial_fib (n - 2)

let rec fib n =
  if n < 20 then serial_fib n
  else
    let a, b =
      Drover.both (fun () -> fib (n - 1)) (fun () -> fib (n - 2))
    in
    a + b

let () = Printf.printf "fib 27 = %d\n" (fib 27)
