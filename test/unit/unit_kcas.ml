(* The blocking operations of kcas, which wait by domain-local-await, suspend the task. *)

open Test_support
open Drover
open Stdlib
open Kcas
open Kcas_data

(* Two tasks of one domain wait for each other in turn, so neither may block it. *)
let ping_pong domains () =
  let n = 1000 in
  let there = Mvar.create None and back = Mvar.create None in
  let ping () =
    for i = 1 to n do
      Mvar.put there i;
      Alcotest.(check int) "back" (i + 1) (Mvar.take back)
    done
  and pong () =
    for _ = 1 to n do
      Mvar.put back (Mvar.take there + 1)
    done
  in
  ignore (run ~domains (fun () -> both ping pong) : unit * unit)

let queue domains () =
  let n = 1000 in
  let q = Kcas_data.Queue.create () in
  let takers () = all (List.init n (fun _ () -> Kcas_data.Queue.take_blocking q))
  and add () =
    for i = 1 to n do
      Kcas_data.Queue.add i q
    done
  in
  let taken, () = run ~domains (fun () -> both takers add) in
  Alcotest.(check (list int)) "each item once" (List.init n succ) (List.sort compare taken)

(* A transaction over two locations. *)
let transaction domains () =
  let a = Loc.make 0 and b = Loc.make 0 in
  let wait () =
    let tx ~xt =
      Retry.unless (Xt.get ~xt a = 1 && Xt.get ~xt b = 2);
      Xt.set ~xt a 3
    in
    Xt.commit { tx }
  and set () =
    Loc.set a 1;
    await (async ignore);
    Loc.set b 2
  in
  ignore (run ~domains (fun () -> both wait set) : unit * unit);
  Alcotest.(check int) "committed" 3 (Loc.get a)

let cancelled domains () =
  let m = Mvar.create None in
  run ~domains (fun () ->
      (try
         Scope.run (fun s ->
             Scope.spawn s (fun () -> ignore (Mvar.take m : int));
             await (async ignore);
             raise Exit)
       with Exit -> ());
      let taken, () = both (fun () -> Mvar.take m) (fun () -> Mvar.put m 7) in
      Alcotest.(check int) "the next gets it" 7 taken)

(* By what the manual says that a program should call. *)
let times_out domains () =
  Domain_local_timeout.set_system (module Thread) (module Unix);
  run ~domains (fun () ->
      let l = Loc.make 0 in
      let wait timeoutf () =
        match Loc.get_as ~timeoutf (fun v -> if v = 0 then Retry.later ()) l with
        | () -> true
        | exception Timeout.Timeout -> false
      in
      let patient = List.init 10 (fun _ -> async (wait 3600.)) in
      let impatient = List.init 10 (fun _ -> async (wait 0.001)) in
      let all_are outcome = List.for_all (fun p -> await p = outcome) in
      if not (all_are false impatient) then failwith "no time limit";
      Loc.set l 1;
      if not (all_are true patient) then failwith "not woken")

let on domains name f = Watchdog.case (Printf.sprintf "%s, %d domains" name domains) (f domains)

let () =
  let cases domains =
    [
      on domains "ping pong" ping_pong;
      on domains "queue" queue;
      on domains "transaction" transaction;
      on domains "cancelled" cancelled;
      on domains "time limits" times_out;
    ]
  in
  Alcotest.run "unit kcas" [ ("waits", List.concat_map cases [ 1; 2; 4 ]) ]
