(* [Scope.first] of one that spins, interruptible, and one that ends did not end. *)

let spin () =
  Drover.Scope.interruptible (fun () ->
      while Sys.opaque_identity true do
        ()
      done)

let () =
  Case.main @@ fun () ->
  let race () = Drover.Scope.first [ spin; (fun () -> Drover.sleep 0.05) ] in
  let start = Case.now () in
  Drover.run ~domains:2 race;
  let took = Case.now () -. start in
  Case.expect (took < 2.) "the first of two has ended, and the other is stopped, after %.2f s" took
