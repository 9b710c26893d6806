(* The first programs of the tutorial. *)

let is_prime n =
  let rec no_divisor_from d =
    d * d > n || (n mod d <> 0 && no_divisor_from (d + 1))
  in
  n > 1 && no_divisor_from 2

let one_if_prime n = if is_prime n then 1 else 0

let serial_primes n =
  let primes = ref 0 in
  for i = 1 to n do
    primes := !primes + one_if_prime i
  done;
  !primes

let primes n =
  Drover.parallel_reduce ~start:1 ~finish:n ~init:0 ~combine:( + )
    one_if_prime

let rec serial_fib n =
  if n < 2 then n else serial_fib (n - 1) + serial_fib (n - 2)

let rec fib n =
  if n < 20 then serial_fib n
  else
    let a, b =
      Drover.both (fun () -> fib (n - 1)) (fun () -> fib (n - 2))
    in
    a + b

type tree = Leaf | Node of tree * int * tree

let rec balanced depth =
  if depth = 0 then Leaf
  else
    let l = balanced (depth - 1) in
    Node (l, depth, balanced (depth - 1))

let rec serial_sum = function
  | Leaf -> 0
  | Node (l, x, r) -> serial_sum l + x + serial_sum r

(* Forks in the uppermost [levels]. *)
let rec sum levels = function
  | Node (l, x, r) when levels > 0 ->
      let left, right =
        Drover.both
          (fun () -> sum (levels - 1) l)
          (fun () -> sum (levels - 1) r)
      in
      left + x + right
  | tree -> serial_sum tree

let kernel ~name ~doc ~sizes ~about ~input =
  Drover_programs.Program.kernel ~name:("tutorial-" ^ name)
    ~doc:("of the tutorial: " ^ doc)
    ~sizes ~about:(Printf.sprintf about) ~input ~show:string_of_int

let kernels =
  [
    kernel ~name:"primes" ~doc:"parallel_reduce"
      ~sizes:(1_000, 500_000, 5_000_000)
      ~about:"the primes up to %d" ~input:Fun.id ~serial:serial_primes
      ~drover:primes ();
    kernel ~name:"fib" ~doc:"both, with a cutoff" ~sizes:(22, 36, 40)
      ~about:"fib %d" ~input:Fun.id ~serial:serial_fib ~drover:fib ();
    kernel ~name:"sum" ~doc:"both over a tree, with a cutoff"
      ~sizes:(10, 21, 23) ~about:"a balanced tree of depth %d"
      ~input:balanced ~serial:serial_sum ~drover:(sum 10) ();
  ]
