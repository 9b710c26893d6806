(* What several tasks change is atomic, or guarded; better still, each keeps its own and they are
   combined. *)

let () =
  let hits = Atomic.make 0 in
  Drover.parallel_for ~start:1 ~finish:100_000 (fun n ->
      if n mod 7 = 0 then Atomic.incr hits);
  Printf.printf "%d by counting together\n" (Atomic.get hits)

let () =
  let hits =
    Drover.parallel_reduce ~start:1 ~finish:100_000 ~init:0 ~combine:( + )
      (fun n -> if n mod 7 = 0 then 1 else 0)
  in
  Printf.printf "%d by adding up\n" hits
