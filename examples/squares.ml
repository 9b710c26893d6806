(* A loop whose iterations do not depend on each other: each writes its own element. *)

let () =
  let squares = Array.make 1_000 0 in
  Drover.parallel_for ~start:0 ~finish:999 (fun i -> squares.(i) <- i * i);
  Printf.printf "the last is %d\n" squares.(999)
