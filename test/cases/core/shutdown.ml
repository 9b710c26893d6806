(* With [OCAMLRUNPARAM=c] the runtime is shut down at the end, as by a C program that calls
   [caml_shutdown]. A program that had used Drover did not end then. *)

let scenes =
  [
    ("a loop", fun () -> Drover.parallel_for ~start:0 ~finish:100_000 ignore);
    ("a task", fun () -> Drover.await (Drover.async (fun () -> Drover.sleep 0.01)));
    ("a run", fun () -> Drover.run ~domains:2 (fun () -> Drover.sleep 0.01));
    ("a time limit", fun () -> Drover.Scope.with_timeout 1. ignore);
    ("a blocking call", fun () -> Drover.run (fun () -> Drover.blocking ignore));
  ]

let () =
  match Sys.argv with
  | [| _; name |] -> (List.assoc name scenes) ()
  | _ -> (
      Case.main ~seconds:40. @@ fun () ->
      let ends (name, _) =
        Case.ended_well (Case.call ~environment:[ "OCAMLRUNPARAM=c" ] ~seconds:5. (Case.scene name))
      in
      match List.filter (Fun.negate ends) scenes with
      | [] -> Case.right "programs end with OCAMLRUNPARAM=c"
      | hanging ->
          Case.wrong "with OCAMLRUNPARAM=c a program does not end after %s"
            (String.concat ", " (List.map fst hanging)))
