(* Programs that go to and fro between the loop and tasks, against plain OCaml. *)

open Test_support
open Crossing

let rec in_fiber = function
  | Value n -> n
  | Failure n -> raise (Failing.Failed n)
  | Pair (p, q) ->
      let m, n = Eio.Fiber.pair (fun () -> in_fiber p) (fun () -> in_fiber q) in
      m + n
  | Pause p ->
      Eio.Fiber.yield ();
      in_fiber p
  | Over p -> Drover_eio.run (fun () -> in_task p)

and in_task = function
  | Value n -> n
  | Failure n -> raise (Failing.Failed n)
  | Pair (p, q) ->
      let m, n = Drover.both (fun () -> in_task p) (fun () -> in_task q) in
      m + n
  | Pause p ->
      Drover_eio.in_loop Eio.Fiber.yield;
      in_task p
  | Over p -> Drover_eio.in_loop (fun () -> in_fiber p)

let in_loop f = Eio_main.run (fun _env -> f ())
let nothing_is_left () = Drover_eio.in_flight () = 0

let is_expected p exn =
  match (expected p, exn) with
  | Error failures, Failing.Failed n -> List.mem n failures
  | Error failures, Eio.Exn.Multiple exns ->
      List.for_all (function Failing.Failed n, _ -> List.mem n failures | _ -> false) exns
  | (Ok _ | Error _), _ -> false

let agrees p =
  (match in_loop (fun () -> in_fiber p) with
    | n -> expected p = Ok n
    | exception exn -> is_expected p exn)
  && nothing_is_left ()

(* A cancelled program has ended when its fiber has, and leaves nothing in flight. *)
let ends_when_cancelled p =
  let race () =
    Eio.Fiber.first
      (fun () -> Some (Drover_eio.run (fun () -> in_task p)))
      (fun () ->
        Eio.Fiber.yield ();
        None)
  in
  (match in_loop race with
    | None -> true
    | Some n -> expected p = Ok n
    | exception exn -> is_expected p exn)
  && nothing_is_left ()

let () =
  Properties.run
    [
      Watchdog.property ~count:300 ~name:"to and fro" ~print program agrees;
      Watchdog.property ~count:300 ~name:"cancelled" ~print program ends_when_cancelled;
    ]
