(* Loops in a generator: the handler of an effect of the user's carries the frame of a loop to another
   domain. Each iteration is done once, wherever it is. *)

open Test_support
open Effect.Deep

type _ Effect.t += Yield : unit Effect.t
type step = Ended | Next of (unit, step) continuation

let start f =
  match_with f ()
    {
      retc = (fun () -> Ended);
      exnc = raise;
      effc =
        (fun (type a) (eff : a Effect.t) ->
          match eff with Yield -> Some (fun (k : (a, step) continuation) -> Next k) | _ -> None);
    }

let rec finish = function Ended -> () | Next k -> finish (continue k ())
let n = 50_000

let forms =
  Loop_forms.over n @ [ ("Array.iter", fun body -> Drover.Array.iter body (Array.init n Fun.id)) ]

(* The task goes on, until the loop runs elsewhere, and then gives away all that it has. *)
let wait_beside visits promise =
  while Atomic.get visits.(n / 100) = 0 && not (Drover.Promise.is_settled promise) do
    Domain.cpu_relax ()
  done;
  Drover.await promise

(* The iterations that are in [yields] leave; the task that began the loop goes on beside it. *)
let visits domains loop yields =
  let visits = Array.init n (fun _ -> Atomic.make 0) in
  Drover.run ~domains (fun () ->
      let body i =
        Atomic.incr visits.(i);
        if List.mem i yields then Effect.perform Yield
      in
      match start (fun () -> loop body) with
      | Ended -> ()
      | Next k ->
          let promise = Drover.async (fun () -> finish (continue k ())) in
          if domains > 1 then wait_beside visits promise;
          Drover.await promise);
  Array.map Atomic.get visits

let once domains loop () =
  for _ = 1 to 20 do
    Array.iteri
      (fun i visits -> if visits <> 1 then Alcotest.failf "iteration %d: %d times" i visits)
      (visits domains loop [ 0 ])
  done

(* A loop that yields now and then, consumed step by step on whatever domain is free. *)
let wanders domains loop () =
  for _ = 1 to 2 do
    let visits = Array.init n (fun _ -> Atomic.make 0) in
    Drover.run ~domains (fun () ->
        let body i =
          Atomic.incr visits.(i);
          if i mod 5_000 = 7 then
            match Effect.perform Yield with () -> () | exception Effect.Unhandled _ -> ()
        in
        let rec consume = function
          | Ended -> ()
          | Next k ->
              Drover.parallel_for ~start:1 ~finish:20 ignore;
              Drover.await (Drover.async (fun () -> consume (continue k ())))
        in
        consume (start (fun () -> loop body)));
    Array.iteri
      (fun i v ->
        if Atomic.get v <> 1 then Alcotest.failf "iteration %d: %d times" i (Atomic.get v))
      visits
  done

let cases test =
  List.concat_map
    (fun (name, loop) ->
      List.map
        (fun domains ->
          Watchdog.case ~seconds:300.
            (Printf.sprintf "%s, %d domains" name domains)
            (test domains loop))
        [ 1; 2; 4 ])
    forms

let () =
  Alcotest.run "unit loop_moved"
    [ ("carried off once", cases once); ("from domain to domain", cases wanders) ]
