(* A model: what its processes are, and what must hold when all have ended. *)

(* [case name setup] checks every interleaving of the processes that [setup] returns, up to the
   order of independent steps. The function beside them runs after each interleaving, untraced, and
   raises when something is wrong. *)
let case name setup =
  Alcotest.test_case name `Quick (fun () ->
      Atomic.trace (fun () ->
          let processes, finally = setup () in
          List.iter Atomic.spawn processes;
          Atomic.final finally))

(* Taken were the items 1 .. n, each once. *)
let each_once n taken =
  Alcotest.(check (list int)) "each item once" (List.init n succ) (List.sort compare taken)
