(* A scope ends when all that was started in it has ended; the first failure cancels the rest. *)

let total prices =
  let sum = Atomic.make 0 in
  Drover.Scope.run (fun scope ->
      List.iter
        (fun price ->
          Drover.Scope.spawn scope (fun () ->
              ignore (Atomic.fetch_and_add sum (price ()))))
        prices);
  Atomic.get sum

let unknown () = failwith "no price"

let never () =
  Drover.sleep 3600.;
  0

(* All the failures of a call, with their backtraces. *)
let report f =
  match f () with
  | n -> Printf.printf "total: %d\n" n
  | exception e ->
      Printf.printf "failed: %s\n" (Printexc.to_string e);
      List.iter
        (fun (e, backtrace) ->
          Printf.printf "and also: %s\n" (Printexc.to_string e);
          Printexc.print_raw_backtrace stderr backtrace)
        (Drover.Scope.suppressed e)

let () =
  report (fun () -> total [ (fun () -> 30); (fun () -> 12) ]);
  report (fun () -> total [ never; unknown; never ])

(* Work that goes on beside the rest, as long as that does. *)
let beside helper work =
  Drover.Scope.run (fun scope ->
      Drover.Scope.daemon scope helper;
      work ())

let rec tidy_up () =
  Drover.sleep 0.001;
  tidy_up ()

let work () =
  Drover.sleep 0.005;
  7

let () = Printf.printf "%d\n" (beside tidy_up work)
