(* One pool and many callers: systhreads, domains, other pools, and threads beside its own
   workers. *)

open Test_support
open Drover
open Stdlib

let rounds = 100

(* Everything a caller may ask for, again and again. *)
let calls p i () =
  for k = 1 to rounds do
    Stranger.expect "run" k (Pool.run p (fun () -> k));
    Stranger.expect "forks" 55 (Pool.run p (fun () -> Fib.fib 10));
    let later = Pool.run p (fun () -> async (fun () -> await (async (fun () -> i)))) in
    Stranger.expect "async" i (await later);
    Stranger.expect "loop" 5050
      (Pool.run p (fun () -> parallel_reduce ~start:1 ~finish:100 ~init:0 ~combine:( + ) Fun.id))
  done

let many_callers domains () =
  let p = Pool.create ~domains () in
  let threads = List.init 20 (fun i -> Stranger.thread (calls p i)) in
  let others = List.init 4 (fun i -> Stranger.domain (calls p (20 + i))) in
  calls p 30 ();
  run ~domains:2 (fun () -> ignore (both (calls p 31) (calls p 32) : unit * unit));
  List.iter (fun join -> join ()) threads;
  List.iter (fun join -> join ()) others;
  Pool.close p

(* All of them at once in the pool that nobody made. *)
let default_pool () =
  let callers = List.init 10 (fun i -> Stranger.thread (calls (Pool.default ()) i)) in
  let others = List.init 3 (fun i -> Stranger.domain (calls (Pool.default ()) (10 + i))) in
  List.iter (fun join -> join ()) callers;
  List.iter (fun join -> join ()) others

(* Tasks of each of two pools wait for tasks of the other. *)
let crossed domains () =
  let p = Pool.create ~domains () and q = Pool.create ~domains () in
  let rec cross depth a b =
    if depth = 0 then 1
    else
      let inner () = cross (depth - 1) b a in
      let x, y = both (fun () -> Pool.run b inner) (fun () -> Pool.run b inner) in
      x + y
  in
  let other = Stranger.thread (fun () -> Pool.run q (fun () -> cross 8 q p)) in
  Alcotest.(check int) "leaves" 256 (Pool.run p (fun () -> cross 8 p q));
  Alcotest.(check int) "leaves of the other" 256 (other ());
  Pool.close p;
  Pool.close q

(* Systhreads fork in a worker's domain while the worker does: each leaf runs once. *)
let beside_workers domains () =
  let depth = 10 in
  let work () =
    let runs = Array.init (1 lsl depth) (fun _ -> Atomic.make 0) in
    let rec tree level lo =
      if level = 0 then begin
        if lo land 63 = 0 then await (async ignore);
        Atomic.incr runs.(lo)
      end
      else
        let half = 1 lsl (level - 1) in
        let left () = tree (level - 1) lo and right () = tree (level - 1) (lo + half) in
        ignore (both left right : unit * unit)
    in
    tree depth 0;
    Array.iteri
      (fun i n ->
        if Atomic.get n <> 1 then Printf.ksprintf failwith "leaf %d ran %d times" i (Atomic.get n))
      runs
  in
  run ~domains (fun () ->
      let stop = Atomic.make false in
      let loop () =
        while not (Atomic.get stop) do
          work ()
        done
      in
      let threads = all (List.init 4 (fun _ () -> Stranger.thread loop)) in
      for _ = 1 to 300 do
        work ()
      done;
      Atomic.set stop true;
      List.iter (fun join -> join ()) threads)

let () =
  let on domains name test =
    List.map
      (fun n -> Watchdog.case ~seconds:300. (Printf.sprintf "%s, %d domains" name n) (test n))
      domains
  in
  Alcotest.run "stress callers"
    [
      ( "callers",
        on [ 1; 2; 8 ] "many" many_callers
        @ [ Watchdog.case ~seconds:300. "the default pool" default_pool ] );
      ("pools", on [ 1; 2; 4 ] "crossed" crossed);
      ("threads", on [ 1; 2 ] "beside workers" beside_workers);
    ]
