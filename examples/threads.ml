(* Domains, threads and tasks together: whoever computes may do it in parallel, and all of them may
   meet at one channel. *)

let squares n =
  Drover.parallel_reduce ~start:1 ~finish:n ~init:0 ~combine:( + ) (fun i ->
      i * i)

let () =
  let results = Drover.Chan.bounded 2 in
  let report who n () = Drover.Chan.send results (who, squares n) in
  let thread = Thread.create (report "a thread" 10) () in
  let domain = Domain.spawn (report "a domain" 100) in
  let task = Drover.async (report "a task" 1000) in
  let all = List.init 3 (fun _ -> Drover.Chan.recv results) in
  Thread.join thread;
  Domain.join domain;
  Drover.await task;
  List.iter
    (fun (who, sum) -> Printf.printf "%s: %d\n" who sum)
    (List.sort compare all)
