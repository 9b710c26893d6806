(* Batches in a storm: batch functions fail, single operations fail, submitters are cancelled while
   they wait or run out of time, and come from tasks, threads, domains and other pools, one of which
   closes meanwhile. Whatever happens, there is one batch at a time, an operation is applied at most
   once, and who submitted it knows whether it was. *)

open Test_support
open Drover
open Stdlib

exception Fault
exception Alone

type state = Waiting | Applied | Refused
type op = { refuse : bool; state : state Atomic.t }

type t = {
  batch : op Batch.t;
  running : bool Atomic.t;
  applied : int Atomic.t;
  returned : int Atomic.t; (* submissions that came to their end *)
}

let settle t random op =
  if Random.State.int random 60 = 0 then raise Fault;
  let state = if op.refuse then Refused else Applied in
  if not (Atomic.compare_and_set op.state Waiting state) then failwith "applied twice";
  if state = Applied then Atomic.incr t.applied

let dawdle random =
  match Random.State.int random 4 with
  | 0 -> await (async ignore)
  | 1 -> parallel_for ~start:0 ~finish:9 ignore
  | _ -> ()

let process t random ops =
  if Atomic.exchange t.running true then failwith "two batches at a time";
  let apply () =
    dawdle random;
    Array.iter (settle t random) ops
  in
  Fun.protect apply ~finally:(fun () -> Atomic.set t.running false)

let create ?pool random =
  let random = Random.State.split random in
  let max = 1 + Random.State.int random 20 in
  let applied op = Atomic.get op.state <> Waiting in
  let run = ref ignore in
  let batch = Batch.create ?pool ~max ~applied (fun ops -> !run ops) in
  let t =
    { batch; running = Atomic.make false; applied = Atomic.make 0; returned = Atomic.make 0 }
  in
  run := process t random;
  t

(* One operation: what the submitter is told is what has happened. *)
let submit t random =
  let op = { refuse = Random.State.int random 50 = 0; state = Atomic.make Waiting } in
  let outcome = match Batch.submit t.batch op with () -> Ok () | exception e -> Error e in
  match (outcome, Atomic.get op.state) with
  | Ok (), Applied -> Atomic.incr t.returned
  | Ok (), Refused -> raise Alone
  | Error e, Waiting -> raise e
  | Ok (), Waiting -> failwith "returned, but not applied"
  | Error _, (Applied | Refused) -> failwith "raised, but applied"

(* Faults and cancellations are meant to be. *)
let bear f = try f () with Fault | Alone | Scope.Timeout -> ()

let some t random n () =
  for _ = 1 to n do
    bear (fun () -> submit t random)
  done

(* Several submitters in a scope that ends early, by a failure or by its time. *)
let in_scope t random () =
  let call s =
    for _ = 1 to 5 do
      let random = Random.State.split random in
      Scope.spawn s (fun () -> submit t random)
    done;
    match Random.State.int random 3 with
    | 0 -> raise Fault
    | 1 -> Scope.cancel s Fault
    | _ -> submit t random
  in
  bear (fun () ->
      if Random.State.bool random then Scope.run call
      else Scope.with_timeout (Random.State.float random 0.001) (fun () -> Scope.run call))

let in_loop t random () =
  let randoms = Array.init 20 (fun _ -> Random.State.split random) in
  bear (fun () -> parallel_for ~start:0 ~finish:19 (fun i -> submit t randoms.(i)))

let strand t random n () =
  for _ = 1 to n do
    match Random.State.int random 3 with
    | 0 -> in_scope t random ()
    | 1 -> in_loop t random ()
    | _ -> some t random 10 ()
  done

(* Every applied operation was returned from; the object still works. *)
let check t =
  Alcotest.(check int)
    "applied are those that returned" (Atomic.get t.applied) (Atomic.get t.returned);
  let last = { refuse = false; state = Atomic.make Waiting } in
  (try Batch.submit t.batch last with Fault -> ());
  Alcotest.(check bool) "at rest" false (Atomic.get t.running)

let rounds = 3

let storm domains () =
  for seed = 1 to rounds do
    let random = Random.State.make [| seed; domains |] in
    let t = create random in
    let strand n =
      let random = Random.State.split random in
      strand t random n
    in
    let threads = List.init 2 (fun _ -> Stranger.thread (strand 20)) in
    let others =
      [ Stranger.domain (strand 20); Stranger.thread (fun () -> run ~domains:2 (strand 20)) ]
    in
    let strands = List.init 6 (fun _ -> strand 20) in
    ignore (run ~domains (fun () -> all strands) : unit list);
    List.iter (fun join -> join ()) (threads @ others);
    check t
  done

(* The batches run in a pool that closes, with some of the submitters in it. *)
let closing domains () =
  for seed = 1 to rounds do
    let random = Random.State.make [| seed; domains |] in
    let pool = Pool.create ~domains () in
    let t = create ~pool random in
    let strand n =
      let random = Random.State.split random in
      strand t random n
    in
    let inside = List.init 4 (fun _ -> strand 10) in
    let tasks = List.map (fun f -> Pool.async pool f) inside in
    let threads = List.init 3 (fun _ -> Stranger.thread (strand 20)) in
    let other = Stranger.thread (fun () -> run ~domains:2 (strand 20)) in
    some t (Random.State.split random) 10 ();
    Pool.close pool;
    List.iter await tasks;
    List.iter (fun join -> join ()) (other :: threads);
    check t
  done

let () =
  (* A batch that fails when all its operations have been dealt with. *)
  Promise.on_unawaited_failure (fun _ _ -> ());
  let on name test =
    List.map
      (fun n -> Watchdog.case ~seconds:300. (Printf.sprintf "%s, %d domains" name n) (test n))
      [ 1; 2; 4; 8 ]
  in
  Alcotest.run "stress batch"
    [ ("storm", on "storm" storm); ("closing", on "a pool closes" closing) ]
