(* [with _ -> ()] in a loop did not only delay an interruption: such code was not stopped in 60 s. *)

let work n =
  for i = 1 to n do
    ignore (Sys.opaque_identity i : int)
  done

let again_and_again f () =
  while Sys.opaque_identity true do
    try f () with _ -> ()
  done

let kinds =
  [
    ("a millisecond of work", fun () -> work 1_000_000);
    ( "a fork",
      fun () -> ignore (Drover.both (fun () -> work 1000) (fun () -> work 1000) : unit * unit) );
    ("a list", fun () -> ignore (Sys.opaque_identity (List.init 10 Fun.id) : int list));
  ]

let run i =
  let limited () = Drover.Scope.limited ~timeout:0.1 (again_and_again (snd (List.nth kinds i))) in
  try Drover.run ~domains:2 limited with Drover.Scope.Timeout -> ()

let () =
  match Sys.argv with
  | [| _; i |] -> run (int_of_string i)
  | _ -> (
      Case.main ~seconds:30. @@ fun () ->
      let is_stopped i _ = Case.ended_well (Case.call ~seconds:5. (Case.scene (string_of_int i))) in
      match List.filteri (fun i kind -> not (is_stopped i kind)) kinds with
      | [] -> Case.right "code that swallows every exception is stopped"
      | kinds ->
          Case.wrong
            "with a limit of 0.1 s, code that swallows every exception goes on after 5 s: %s"
            (String.concat ", " (List.map fst kinds)))
