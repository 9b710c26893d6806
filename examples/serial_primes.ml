(* The tutorial's first program, without Drover: to compare with. *)

let is_prime n =
  let rec no_divisor_from d =
    d * d > n || (n mod d <> 0 && no_divisor_from (d + 1))
  in
  n > 1 && no_divisor_from 2

let () =
  let primes = ref 0 in
  for n = 1 to 1_000_000 do
    if is_prime n then incr primes
  done;
  Printf.printf "%d primes\n" !primes
