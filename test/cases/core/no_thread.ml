(* Where no thread was to be had, the time of [Scope.limited] never ended, and nobody was told. *)

let nobody = 65534
let spin () = Case.spin 3.

let limited () =
  match Drover.run ~domains:1 (fun () -> Drover.Scope.limited ~timeout:0.1 spin) with
  | () -> print_string "goes on for three seconds"
  | exception e -> Printf.printf "raises %s" (Printexc.to_string e)

let () =
  match Sys.argv with
  | [| _; "scene" |] -> limited ()
  | _ ->
      Case.main @@ fun () ->
      if Unix.getuid () <> 0 then Case.cannot "only root has a user without threads"
      else
        let alone = [ "prlimit"; "--nproc=1" ] @ Case.scene "scene" in
        let end_ = Case.call ~as_user:nobody alone in
        if not (Case.ended_well end_) then Case.cannot "nobody cannot run it: %s" end_.output
        else
          Case.expect
            (Case.contains end_.output "raises")
            "without threads, code with a limit of 0.1 s %s" end_.output
