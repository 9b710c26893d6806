(* The forms of ppx_drover, and two of them as one writes them without it. *)

let axpy a x y =
  for%par i = 0 to Array.length y - 1 do
    y.(i) <- y.(i) +. (a *. x.(i))
  done

let axpy_by_hand a x y =
  Drover.parallel_range ~start:0
    ~finish:(Array.length y - 1)
    (fun lo hi ->
      for i = lo to hi do
        y.(i) <- y.(i) +. (a *. x.(i))
      done)

let dot a b =
  for%sum i = 0 to Array.length a - 1 do
    a.(i) *. b.(i)
  done

let dot_by_hand a b =
  let piece lo hi =
    let sum = ref 0. in
    for i = lo to hi do
      sum := !sum +. (a.(i) *. b.(i))
    done;
    !sum
  in
  let finish = Array.length a - 1 in
  Drover.parallel_reduce_range ~start:0 ~finish ~init:0. ~combine:( +. )
    piece

let multiples n =
  for%sum_int i = 1 to n do
    if i mod 7 = 0 then 1 else 0
  done

let longest words =
  let longer a b = if String.length b > String.length a then b else a in
  for%reduce[@combine longer] [@identity ""]
    i = 0 to Array.length words - 1
  do
    words.(i)
  done

let rec serial_fib n =
  if n < 2 then n else serial_fib (n - 1) + serial_fib (n - 2)

let rec fib n =
  if n < 20 then serial_fib n
  else
    let%par a = fib (n - 1) and b = fib (n - 2) in
    a + b

let rec fib_by_hand n =
  if n < 20 then serial_fib n
  else
    let a, b =
      Drover.both
        (fun () -> fib_by_hand (n - 1))
        (fun () -> fib_by_hand (n - 2))
    in
    a + b

let () =
  let x = Array.init 10_000 float_of_int in
  let y = Array.copy x and z = Array.copy x in
  axpy 0.5 x y;
  axpy_by_hand 0.5 x z;
  Printf.printf "axpy: %b\n" (y = z);
  Printf.printf "dot: %b\n" (dot x y = dot_by_hand x y);
  Printf.printf "multiples of 7: %d\n" (multiples 100_000);
  Printf.printf "longest: %s\n" (longest [| "a"; "camel"; "in"; "world" |]);
  Printf.printf "fib: %b\n" (fib 27 = fib_by_hand 27)
