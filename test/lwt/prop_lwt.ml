(* Programs that go to and fro between the loop and tasks, against plain OCaml. *)

open Test_support
module Gen = QCheck2.Gen

type program =
  | Value of int
  | Failure of int
  | Pair of program * program (* at the same time, on this side *)
  | Pause of program (* and then *)
  | Over of program (* on the other side *)

let program =
  let leaf =
    Gen.(
      oneof_weighted
        [ (9, map (fun n -> Value n) nat_small); (1, map (fun n -> Failure n) nat_small) ])
  in
  Gen.(
    sized_size (int_bound 60)
    @@ fix (fun self n ->
        if n <= 1 then leaf
        else
          oneof
            [
              map2 (fun p q -> Pair (p, q)) (self (n / 2)) (self (n / 2));
              map (fun p -> Pause p) (self (n - 1));
              map (fun p -> Over p) (self (n - 1));
            ]))

let rec print = function
  | Value n -> string_of_int n
  | Failure n -> Printf.sprintf "fail %d" n
  | Pair (p, q) -> Printf.sprintf "(%s, %s)" (print p) (print q)
  | Pause p -> Printf.sprintf "pause; %s" (print p)
  | Over p -> Printf.sprintf "over (%s)" (print p)

(* The sum of the values, or the failures of which one is raised. *)
let rec expected = function
  | Value n -> Ok n
  | Failure n -> Error [ n ]
  | Pause p | Over p -> expected p
  | Pair (p, q) -> (
      match (expected p, expected q) with
      | Ok m, Ok n -> Ok (m + n)
      | Error l, Error r -> Error (l @ r)
      | (Error _ as failed), Ok _ | Ok _, (Error _ as failed) -> failed)

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
