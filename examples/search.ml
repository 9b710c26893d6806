(* A search that stops when one iteration has found something. *)

let factor n =
  let root = int_of_float (sqrt (float_of_int n)) in
  Drover.parallel_find_any ~start:2 ~finish:root (fun d ->
      if n mod d = 0 then Some d else None)

let () =
  let show n =
    match factor n with
    | Some d -> Printf.printf "%d = %d * %d\n" n d (n / d)
    | None -> Printf.printf "%d is prime\n" n
  in
  show 1_000_000_007;
  show (10_007 * 10_007)
