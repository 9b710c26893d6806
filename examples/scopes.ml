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

(* What was opened for a task is closed in any case, also if the task is
   cancelled before it starts. *)
let serve_all connections serve close =
  Drover.Scope.run (fun scope ->
      Seq.iter
        (fun connection ->
          Drover.Scope.spawn scope
            ~finally:(fun () -> close connection)
            (fun () -> serve connection))
        connections)

let () =
  let opened = Atomic.make 0 and closed = Atomic.make 0 in
  let connect () =
    let n = 1 + Atomic.fetch_and_add opened 1 in
    if n > 10 then None else Some n
  and serve n = if n = 3 then failwith "broken" else Drover.sleep 3600.
  and close _ = Atomic.incr closed in
  match serve_all (Seq.of_dispenser connect) serve close with
  | () -> print_endline "all served"
  | exception Failure _ ->
      let opened = Int.min 10 (Atomic.get opened) in
      Printf.printf "all closed: %b\n" (opened = Atomic.get closed)

(* No more tasks at a time than the semaphore has permits. *)
let at_most n work items =
  let room = Drover.Semaphore.create n in
  Drover.Scope.run (fun scope ->
      List.iter
        (fun item ->
          Drover.Semaphore.spawn room scope (fun () -> work item))
        items)

let () =
  let sum = Atomic.make 0 in
  at_most 2
    (fun n -> ignore (Atomic.fetch_and_add sum n))
    [ 1; 2; 3; 4; 5; 6 ];
  Printf.printf "sum: %d\n" (Atomic.get sum)
