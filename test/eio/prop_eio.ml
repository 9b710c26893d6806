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

(* The sum of the values, or the failures of which one or several are raised. *)
let rec expected = function
  | Value n -> Ok n
  | Failure n -> Error [ n ]
  | Pause p | Over p -> expected p
  | Pair (p, q) -> (
      match (expected p, expected q) with
      | Ok m, Ok n -> Ok (m + n)
      | Error l, Error r -> Error (l @ r)
      | (Error _ as failed), Ok _ | Ok _, (Error _ as failed) -> failed)

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
