(* Waiting for something that is not a task: here a thread that answers later. The worker is not
   held meanwhile. *)

let ask question answer =
  ignore
    (Thread.create
       (fun () ->
         Thread.delay 0.01;
         answer (String.length question))
       ())

let length_of question =
  let promise, resolver = Drover.Promise.create () in
  ask question (Drover.Promise.fulfil resolver);
  Drover.await promise

let () =
  let a, b =
    Drover.both
      (fun () -> length_of "how long")
      (fun () -> length_of "is this")
  in
  Printf.printf "%d and %d\n" a b
