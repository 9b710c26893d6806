(* A first program: count the primes below a million on every processor. *)

let is_prime n =
  let rec no_divisor_from d =
    d * d > n || (n mod d <> 0 && no_divisor_from (d + 1))
  in
  n > 1 && no_divisor_from 2

let () =
  let one_if_prime n = if is_prime n then 1 else 0 in
  let primes =
    Drover.parallel_reduce ~start:1 ~finish:1_000_000 ~init:0 ~combine:( + )
      one_if_prime
  in
  Printf.printf "%d primes\n" primes
