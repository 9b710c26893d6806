(* How many domains a pool gets: what it asked for, or what there is. *)

open Test_support
open Drover
open Stdlib

(* As many as this version of OCaml allows. *)
let limit = 128

let works p =
  let n = Pool.size p in
  let hits = Atomic.make 0 in
  Pool.run p (fun () -> parallel_for ~start:1 ~finish:(10 * n) (fun _ -> Atomic.incr hits));
  Alcotest.(check int) "iterations" (10 * n) (Atomic.get hits)

let small () =
  List.iter
    (fun domains ->
      let p = Pool.create ~domains () in
      Alcotest.(check int) "size" domains (Pool.size p);
      works p;
      Pool.close p)
    [ 1; 2; 3; 8 ]

let default_size () =
  let p = Pool.create () in
  let n = Pool.size p in
  if n < 1 || n > Domain.recommended_domain_count () then Alcotest.failf "size %d" n;
  works p;
  Pool.close p

(* One that follows the load of the machine makes domains only where they are worth it. *)
let adaptive () =
  let p = Pool.create ~adaptive:true ~domains:300 () in
  Alcotest.(check int) "no more than there can ever be" limit (Pool.size p);
  works p;
  Pool.close p

(* Nothing else runs here: all but the domain of the caller is there to be had. *)
let too_many () =
  let p = Pool.create ~domains:300 () in
  Alcotest.(check int) "size" limit (Pool.size p);
  works p;
  Pool.close p;
  let q = Pool.create ~domains:max_int () in
  Alcotest.(check int) "all are there again" limit (Pool.size q);
  works q;
  Pool.close q

let several_big () =
  let pools = List.init 3 (fun _ -> Pool.create ~domains:60 ()) in
  Alcotest.(check (list int)) "sizes" [ 60; 60; limit - 118 ] (List.map Pool.size pools);
  List.iter works pools;
  List.iter Pool.close pools

(* No domain is left: pools of one, that borrow the domains of their callers. *)
let none_left () =
  let big = Pool.create ~domains:limit () in
  let small = Pool.create ~domains:4 () in
  Alcotest.(check int) "size" 1 (Pool.size small);
  works small;
  Alcotest.(check int) "from a task" 7 (Pool.run big (fun () -> Pool.run small (fun () -> 7)));
  Alcotest.(check int)
    "from a systhread" 7
    (Place.in_thread (fun () -> Pool.run small (fun () -> 7)));
  Pool.close small;
  Pool.close big

(* Several callers of a pool of one at the same time. *)
let one_domain_many_callers () =
  let p = Pool.create ~domains:1 () in
  let caller i () =
    for k = 1 to 100 do
      let a, b =
        Pool.run p (fun () -> both (fun () -> await (async (fun () -> i))) (fun () -> k))
      in
      Stranger.expect "results" (i, k) (a, b)
    done
  in
  let threads = List.init 4 (fun i -> Stranger.thread (caller i)) in
  let domains = List.init 2 (fun i -> Stranger.domain (caller (4 + i))) in
  caller 6 ();
  List.iter (fun join -> join ()) threads;
  List.iter (fun join -> join ()) domains;
  Pool.close p

(* The task of one caller is resumed when the caller that lent its domain has gone. *)
let one_domain_resumed () =
  let p = Pool.create ~domains:1 () in
  let first, end_first = Promise.create () and second, end_second = Promise.create () in
  let wait promise = Stranger.thread (fun () -> Pool.run p (fun () -> await promise)) in
  let a = wait first in
  Thread.delay 0.02;
  let b = wait second in
  Thread.delay 0.02;
  Promise.fulfil end_first ();
  a ();
  Promise.fulfil end_second ();
  b ();
  Pool.close p

(* Sooner or later all sleep, while one waits. By the process's own time, so other programs do not
   count. *)
let comes_to_rest () =
  let p = Pool.create ~domains:4 () in
  works p;
  let go, r = Promise.create () in
  let rec watch () =
    let before = Sys.time () in
    Thread.delay 0.2;
    if Sys.time () -. before > 0.02 then watch () else Promise.fulfil r ()
  in
  let watcher = Thread.create watch () in
  Pool.run p (fun () -> await go);
  Thread.join watcher;
  Pool.close p

let () =
  Alcotest.run "unit pool_size"
    [
      ( "size",
        [
          Watchdog.case "small" small;
          Watchdog.case "default" default_size;
          Watchdog.case "as the load allows" adaptive;
          Watchdog.case "too many" too_many;
          Watchdog.case "several big" several_big;
          Watchdog.case "none left" none_left;
        ] );
      ( "one domain",
        [
          Watchdog.case "many callers" one_domain_many_callers;
          Watchdog.case "resumed later" one_domain_resumed;
        ] );
      ("idle", [ Watchdog.case "comes to rest" comes_to_rest ]);
    ]
