(* A pool that lives on keeps nothing of the work that is done: no closure, no result, no
   failure. *)

open Test_support
open Drover
open Stdlib

(* A closure that holds a watched value and gives another one. *)
let piece reach i =
  let held = Reach.watch reach (ref i) in
  fun () -> Reach.watch reach (ref (!held + 1))

let both_ reach = ignore (both (piece reach 1) (piece reach 2) : int ref * int ref)

let rec tree reach depth =
  if depth = 0 then piece reach 0 ()
  else
    let l, r = both (fun () -> tree reach (depth - 1)) (fun () -> tree reach (depth - 1)) in
    Reach.watch reach (ref (!l + !r))

let trees reach = ignore (tree reach 10 : int ref)
let all_ reach = ignore (all (List.init 100 (piece reach)) : int ref list)

let loop reach =
  parallel_for ~grain:1 ~start:1 ~finish:100 (fun i -> ignore (piece reach i () : int ref))

let reduce reach =
  let sum a b = Reach.watch reach (ref (!a + !b)) in
  let init = Reach.watch reach (ref 0) in
  ignore
    (parallel_reduce ~grain:1 ~start:1 ~finish:100 ~init ~combine:sum (fun i -> piece reach i ())
      : int ref)

let awaited reach =
  let tasks = List.init 100 (fun i -> async (piece reach i)) in
  List.iter (fun p -> ignore (await p : int ref)) tasks

let unawaited reach =
  for i = 1 to 100 do
    ignore (async (piece reach i) : int ref Promise.t)
  done

(* Both ends wait for each other, so continuations lie about. *)
let suspended reach =
  let p, r = Promise.create () in
  let waiting =
    List.init 100 (fun i ->
        let f = piece reach i in
        async (fun () ->
            ignore (await p : int ref);
            f ()))
  in
  Promise.fulfil r (Reach.watch reach (ref 0));
  List.iter (fun p -> ignore (await p : int ref)) waiting

let local = Local.create None

(* The rest of the task is the last job of its worker. *)
let resumed reach =
  Local.with_value local
    (Some (Reach.watch reach (ref 0)))
    (fun () ->
      let p, r = Promise.create () in
      ignore (async (fun () -> Promise.fulfil r ()) : unit Promise.t);
      await p)

exception Holding of int ref

(* The runtime itself keeps the exception that was raised last in each domain, so another
   follows. *)
let failed reach =
  let fail i () = raise (Holding (Reach.watch reach (ref i))) in
  let caught f = match f () with _ -> Alcotest.fail "no failure" | exception Holding _ -> () in
  caught (fun () -> both (fail 1) (piece reach 2));
  caught (fun () -> both (piece reach 1) (fail 2));
  caught (fun () -> all (List.init 10 fail));
  caught (fun () -> await (async (fail 1)))

(* Work that thieves took: the two sides of each fork meet. *)
let stolen reach =
  for i = 1 to 100 do
    let here = Atomic.make 0 in
    let meet f () =
      Atomic.incr here;
      while Atomic.get here < 2 do
        Domain.cpu_relax ()
      done;
      f ()
    in
    ignore (both (meet (piece reach i)) (meet (piece reach i)) : int ref * int ref)
  done

let[@inline never] work_on p reach work = Pool.run p (fun () -> work reach)

(* The second round runs above what the first has left. *)
let releases domains work () =
  let p = Pool.create ~domains () in
  for _ = 1 to 2 do
    let reach = Reach.create () in
    work_on p reach work;
    Alcotest.(check int) "still reachable" 0 (Reach.remain reach)
  done;
  Pool.close p

(* While its task goes on, too: what a join has left behind is gone after the join. *)
let releases_within_a_task domains work () =
  run ~domains (fun () ->
      let reach = Reach.create () in
      work reach;
      Alcotest.(check int) "still reachable" 0 (Reach.remain reach))

(* A few are still there: the runtime keeps the exception that was raised last in each domain, and a
   task the reason for which it had to stop last. *)
let failures domains () =
  run ~domains (fun () ->
      let reach = Reach.create () in
      for _ = 1 to 20 do
        failed reach
      done;
      let alive = Reach.remain ~most:19 reach in
      if alive >= 20 then Alcotest.failf "%d exceptions are still reachable" alive)

(* A pool itself, with its workers' stacks. *)
let[@inline never] pool_comes_and_goes reach =
  let p = Reach.watch reach (Pool.create ~domains:2 ()) in
  Pool.run p (fun () -> ignore (both ignore ignore : unit * unit));
  Pool.close p

let pool () =
  let reach = Reach.create () in
  pool_comes_and_goes reach;
  Alcotest.(check int) "still reachable" 0 (Reach.remain reach)

(* A promise that many wait for in vain, one after the other. *)
let given_up domains () =
  let never = fst (Promise.create ()) in
  let words () = Obj.reachable_words (Obj.repr never) in
  let give_up () =
    try
      Scope.run (fun s ->
          Scope.spawn s (fun () -> await never);
          await (async ignore);
          raise Exit)
    with Exit -> ()
  in
  let before = words () in
  run ~domains (fun () ->
      for _ = 1 to 1000 do
        give_up ()
      done);
  Alcotest.(check bool) "size" true (words () < before + 100)

let () =
  let works =
    [
      ("both", both_);
      ("trees", trees);
      ("all", all_);
      ("loop", loop);
      ("reduce", reduce);
      ("awaited", awaited);
      ("suspended", suspended);
      ("resumed", resumed);
    ]
  in
  let on domains release works =
    List.map
      (fun (name, work) ->
        Watchdog.case (Printf.sprintf "%s, %d domains" name domains) (release domains work))
      works
  in
  let in_parallel = ("stolen", stolen) :: works in
  Alcotest.run "unit reach"
    [
      ( "after a run",
        on 1 releases (("unawaited", unawaited) :: works)
        @ on 2 releases (("unawaited", unawaited) :: in_parallel) );
      ("within a task", on 1 releases_within_a_task works @ on 2 releases_within_a_task in_parallel);
      ("failures", [ Watchdog.case "1 domain" (failures 1); Watchdog.case "2 domains" (failures 2) ]);
      ( "waits given up",
        [ Watchdog.case "1 domain" (given_up 1); Watchdog.case "2 domains" (given_up 2) ] );
      ("pool", [ Watchdog.case "closed" pool ]);
    ]
