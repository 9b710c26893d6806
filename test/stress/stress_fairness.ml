(* Nobody starves: one that wants its turns gets them, while others take theirs without end. *)

open Test_support
open Drover
open Stdlib
module Mutex = Drover.Mutex
module Semaphore = Drover.Semaphore

let turns = 300

(* A task that never waits keeps its worker: that is no matter of the objects. *)
let let_others_run () = if Option.is_some (Pool.current ()) then await (async ignore)

(* [use i] takes a turn at the object as user [i]. All but the user 0 go on until that has had its
   turns; they are tasks of a pool, threads, and a domain. *)
let contend domains use =
  let satisfied = Atomic.make false in
  let rec go_on i () =
    if not (Atomic.get satisfied) then begin
      use i;
      let_others_run ();
      go_on i ()
    end
  in
  let modest () =
    for _ = 1 to turns do
      use 0
    done;
    Atomic.set satisfied true
  in
  let strangers =
    [ Stranger.thread (go_on 1); Stranger.thread (go_on 2); Stranger.domain (go_on 3) ]
  in
  run ~domains (fun () ->
      let greedy = List.init 6 (fun i -> async (go_on (4 + i))) in
      let modest = async modest in
      await modest;
      List.iter await greedy);
  List.iter (fun join -> join ()) strangers

let mutex domains () =
  let m = Mutex.create () and n = ref 0 in
  contend domains (fun _ -> Mutex.protect m (fun () -> incr n));
  Alcotest.(check bool) "turns" true (!n >= turns)

let semaphore domains () =
  let s = Semaphore.create 2 in
  contend domains (fun _ -> Semaphore.protect s ignore);
  Alcotest.(check int) "permits" 2 (Semaphore.free s)

(* One of the users feeds the others, or empties the channel for them, and counts for nothing. *)
let beside pump finish use domains =
  let join = Stranger.thread (fun () -> try pump () with Chan.Closed -> ()) in
  contend domains use;
  finish ();
  join ()

let rec for_ever f =
  f ();
  for_ever f

let receivers receive channel domains () =
  let c = channel () in
  let pump () = for_ever (fun () -> Chan.send c 0) in
  beside pump (fun () -> Chan.close c) (fun _ -> receive c) domains

let senders send channel domains () =
  let c = channel () in
  let pump () = for_ever (fun () -> ignore (Chan.recv c : int)) in
  beside pump (fun () -> Chan.close c) (fun _ -> send c) domains

let recv c = ignore (Chan.recv c : int)
let send c = Chan.send c 0

let select_recv c =
  Chan.select [ Chan.receiving c ignore; Chan.receiving (Chan.rendezvous ()) ignore ]

let select_send c =
  Chan.select [ Chan.sending c 0 ignore; Chan.receiving (Chan.rendezvous ()) ignore ]

let kinds = [ ("rendezvous", Chan.rendezvous); ("bounded to 3", fun () -> Chan.bounded 3) ]

let channels =
  List.concat_map
    (fun (kind, channel) ->
      List.map
        (fun (name, test) -> (name ^ ", " ^ kind, test channel))
        [
          ("receive", receivers recv);
          ("send", senders send);
          ("select to receive", receivers select_recv);
          ("select to send", senders select_send);
        ])
    kinds

let cases domains =
  List.map
    (fun (name, test) -> Watchdog.case ~seconds:300. name (test domains))
    ([ ("mutex", mutex); ("semaphore", semaphore) ] @ channels)

let () =
  Alcotest.run "stress fairness"
    [ ("1 domain", cases 1); ("2 domains", cases 2); ("4 domains", cases 4) ]
