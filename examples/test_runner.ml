(* Functions whose failures are results: a runner of tests, where one that fails ends no other. *)

let run_tests tests =
  let outcomes = Drover.all_settled (List.map snd tests) in
  let report (name, _) = function
    | Ok () -> Printf.printf "ok      %s\n" name
    | Error (exn, backtrace) ->
        Printf.printf "FAILED  %s: %s\n" name (Printexc.to_string exn);
        Printexc.print_raw_backtrace stderr backtrace
  in
  List.iter2 report tests outcomes;
  List.length (List.filter Result.is_error outcomes)

let check found expected =
  if found <> expected then
    failwith (Printf.sprintf "%d instead of %d" found expected)

let tests =
  [
    ("sum", fun () -> check (List.fold_left ( + ) 0 [ 1; 2; 3 ]) 6);
    ("average", fun () -> check (6 / List.length []) 0);
    ("length", fun () -> check (String.length "drover") 7);
    ("time", fun () -> Drover.Scope.with_timeout 60. ignore);
  ]

let () = Printf.printf "%d failed\n" (run_tests tests)
