(* A pool of 300 domains had the size 300; OCaml has room for 128. *)

let () =
  Case.main @@ fun () ->
  let pool = Drover.Pool.create ~domains:300 () in
  let size = Drover.Pool.size pool in
  Drover.Pool.close pool;
  Case.expect (size <= 128) "a pool of 300 domains has the size %d" size
