(* What [Format] printed in [Drover.blocking] never appeared, as no domain of such calls ends. *)

let print () =
  Drover.run (fun () ->
      List.iter
        (fun i -> Drover.blocking (fun () -> Format.printf "file %d is done@\n" i))
        [ 1; 2; 3 ]);
  Format.printf "end@\n"

let () =
  match Sys.argv with
  | [| _; "scene" |] -> print ()
  | _ ->
      Case.main @@ fun () ->
      let output = (Case.call (Case.scene "scene")).output in
      let lines = List.length (String.split_on_char '\n' (String.trim output)) in
      Case.expect (lines = 4) "of 4 lines that Format prints %d appear" lines
