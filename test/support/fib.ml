let rec fib n =
  if n < 2 then n
  else
    let a, b = Drover.both (fun () -> fib (n - 1)) (fun () -> fib (n - 2)) in
    a + b
