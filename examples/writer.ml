(* One writer, behind a channel, for results that tasks compute: it writes
   them in the order in which the tasks were started. *)

module Chan = Drover.Chan
module Scope = Drover.Scope

(* [produce] is given a function that starts a task for an item. *)
let in_order ~ahead produce work write =
  let line = Chan.bounded ahead in
  let write_next promise = write (Drover.await promise) in
  Scope.run (fun scope ->
      Scope.spawn scope (fun () -> Chan.iter write_next line);
      produce (fun item ->
          Chan.send line (Scope.async scope (fun () -> work item)));
      Chan.close line)

(* The first take longest. *)
let work n =
  Drover.sleep (0.001 *. float_of_int (10 - n));
  Printf.sprintf "request %d" n

let () =
  let requests send =
    for n = 1 to 9 do
      send n
    done
  in
  in_order ~ahead:4 requests work print_endline
