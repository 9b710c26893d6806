(* Domainslib's channels, on Drover. *)

open Test_support
module Task = Domainslib.Task
module Chan = Domainslib.Chan

let bounds () =
  Failing.misuse "Chan.make_bounded" (fun () -> Chan.make_bounded (-1));
  let c = Chan.make_bounded 2 in
  let room = List.init 3 (Chan.send_poll c) in
  Alcotest.(check (list bool)) "room for two" [ true; true; false ] room;
  let got = List.init 3 (fun _ -> Chan.recv_poll c) in
  Alcotest.(check (list (option int))) "in order" [ Some 0; Some 1; None ] got

let unbounded () =
  let c = Chan.make_unbounded () in
  List.iter (Chan.send c) (List.init 1000 Fun.id);
  Alcotest.(check bool) "room" true (Chan.send_poll c 1000);
  let got = List.init 1001 (fun _ -> Chan.recv c) in
  Alcotest.(check (list int)) "in order" (List.init 1001 Fun.id) got;
  Alcotest.(check (option int)) "empty" None (Chan.recv_poll c)

let rec poll_until f =
  match f () with
  | Some v -> v
  | None ->
      Thread.yield ();
      poll_until f

let rendezvous () =
  let c = Chan.make_bounded 0 in
  Alcotest.(check bool) "nobody receives" false (Chan.send_poll c 1);
  Alcotest.(check (option int)) "nobody sends" None (Chan.recv_poll c);
  let receiver = Stranger.thread (fun () -> Chan.recv c) in
  poll_until (fun () -> if Chan.send_poll c 2 then Some () else None);
  Alcotest.(check int) "received" 2 (receiver ());
  let sender = Stranger.domain (fun () -> Chan.send c 3) in
  Alcotest.(check int) "sent" 3 (poll_until (fun () -> Chan.recv_poll c));
  sender ()

(* On one domain, where Domainslib hangs: the domain that waits is the one that is waited for. *)
let tasks_meet make () =
  let pool = Task.setup_pool ~num_domains:0 () in
  let there = make () and back = make () in
  let n = 1000 in
  let sum =
    Task.run pool (fun () ->
        let echo () =
          for _ = 1 to n do
            Chan.send back (Chan.recv there)
          done
        in
        let echo = Task.async pool echo in
        let send () = List.iter (Chan.send there) (List.init n succ) in
        let sender = Task.async pool send in
        let sum = List.fold_left (fun sum _ -> sum + Chan.recv back) 0 (List.init n Fun.id) in
        Task.await pool echo;
        Task.await pool sender;
        sum)
  in
  Task.teardown_pool pool;
  Alcotest.(check int) "all messages" (n * (n + 1) / 2) sum

(* Iterations of one loop wait for each other. *)
let loop_meets () =
  let pool = Task.setup_pool ~num_domains:1 () in
  let c = Chan.make_bounded 0 and sum = Atomic.make 0 in
  let body i =
    if i < 50 then Chan.send c i else ignore (Atomic.fetch_and_add sum (Chan.recv c) : int)
  in
  Task.run pool (fun () -> Task.parallel_for ~chunk_size:1 ~start:0 ~finish:99 ~body pool);
  Task.teardown_pool pool;
  Alcotest.(check int) "all messages" 1225 (Atomic.get sum)

let between (place : Place.t) () =
  let c = Chan.make_bounded 1 and n = 100 in
  let sender = Stranger.thread (fun () -> List.iter (Chan.send c) (List.init n Fun.id)) in
  let got = place.call (fun () -> List.init n (fun _ -> Chan.recv c)) in
  sender ();
  Alcotest.(check (list int)) "in order" (List.init n Fun.id) got

let () =
  Alcotest.run "unit domainslib chan"
    [
      ("one thread", [ Watchdog.case "bounded" bounds; Watchdog.case "unbounded" unbounded ]);
      ( "several",
        [
          Watchdog.case "a rendezvous" rendezvous;
          Watchdog.case "tasks of one domain, rendezvous"
            (tasks_meet (fun () -> Chan.make_bounded 0));
          Watchdog.case "tasks of one domain, bounded" (tasks_meet (fun () -> Chan.make_bounded 3));
          Watchdog.case "tasks of one domain, unbounded" (tasks_meet Chan.make_unbounded);
          Watchdog.case "iterations of a loop" loop_meets;
        ] );
      ("to", List.map (fun (p : Place.t) -> Watchdog.case p.name (between p)) Place.all);
    ]
