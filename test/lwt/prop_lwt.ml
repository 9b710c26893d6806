(* Programs that go to and fro between the loop and tasks, against plain OCaml. *)

open Test_support
open Crossing

let rec on_loop = function
  | Value n -> Lwt.return n
  | Failure n -> Lwt.fail (Failing.Failed n)
  | Pair (p, q) -> Lwt.map (fun (m, n) -> m + n) (Lwt.both (on_loop p) (on_loop q))
  | Pause p -> Lwt.bind (Lwt.pause ()) (fun () -> on_loop p)
  | Over p -> Drover_lwt.detach (fun () -> in_task p)

and in_task = function
  | Value n -> n
  | Failure n -> raise (Failing.Failed n)
  | Pair (p, q) ->
      let m, n = Drover.both (fun () -> in_task p) (fun () -> in_task q) in
      m + n
  | Pause p ->
      Drover_lwt.run_in_main Lwt.pause;
      in_task p
  | Over p -> Drover_lwt.run_in_main (fun () -> on_loop p)

let agrees p =
  match (expected p, Lwt_main.run (on_loop p)) with
  | Ok n, m -> n = m
  | Error _, _ -> false
  | exception Failing.Failed n -> (
      match expected p with Error failures -> List.mem n failures | Ok _ -> false)

(* A cancelled program ends, and leaves nothing in flight. *)
let ends_when_cancelled p =
  let promise = Drover_lwt.detach (fun () -> in_task p) in
  let run () =
    Lwt.bind (Lwt.pause ()) (fun () ->
        Lwt.cancel promise;
        promise)
  in
  let rec drain () =
    if Drover_lwt.in_flight () > 0 then Lwt.bind (Lwt_unix.sleep 0.) drain else Lwt.return_unit
  in
  let outcome =
    match Lwt_main.run (run ()) with
    | n -> expected p = Ok n
    | exception Lwt.Canceled -> true
    | exception Failing.Failed n -> (
        match expected p with Error failures -> List.mem n failures | Ok _ -> false)
  in
  Lwt_main.run (drain ());
  outcome

let () =
  Properties.run
    [
      Watchdog.property ~count:300 ~name:"to and fro" ~print program agrees;
      Watchdog.property ~count:300 ~name:"cancelled" ~print program ends_when_cancelled;
    ]
