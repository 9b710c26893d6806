(* 200 analyses one after the other that each exceed a budget of 1 ms took 4.2 s: at most 50 were
   interrupted in a second. *)

let compute () =
  while Sys.opaque_identity true do
    ignore (Sys.opaque_identity (List.init 50 Fun.id) : int list)
  done

let analysis _ = try Drover.Scope.limited ~timeout:0.001 compute with Drover.Scope.Timeout -> ()

let () =
  Case.main @@ fun () ->
  let start = Case.now () in
  Drover.run ~domains:1 (fun () -> Drover.parallel_for ~start:1 ~finish:200 analysis);
  let took = Case.now () -. start in
  Case.expect (took < 1.5) "200 budgets of 1 ms take %.2f s" took
