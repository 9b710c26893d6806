(* Waiting for something that is not a task: here a thread that answers later. The worker is not
   held meanwhile. *)

let ask ?(delay = 0.01) question answer =
  ignore
    (Thread.create
       (fun () ->
         Thread.delay delay;
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

(* Whoever answers first. Nobody waits before the answer is needed. *)

let asked delay question =
  let promise, resolver = Drover.Promise.create () in
  ask ~delay question (Drover.Promise.fulfil resolver);
  promise

let () =
  let first =
    Drover.Promise.any [ asked 0.2 "which of us"; asked 0.01 "two" ]
  in
  let text = Drover.Promise.map (Printf.sprintf "%d letters") first in
  print_endline (Drover.await text)
