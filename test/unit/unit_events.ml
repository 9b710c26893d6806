(* What a listener hears of a program whose tasks are known. *)

open Test_support
module E = Runtime_events

type heard = { ring : int; name : string; value : int }

let value_of_span : E.Type.span -> int = function Begin -> 1 | End -> 0

let callbacks ~lost events =
  let add ring _ event value =
    let name = E.User.name event in
    if String.starts_with ~prefix:"drover." name then Dynarray.add_last events { ring; name; value }
  in
  E.Callbacks.create ~lost_events:(fun _ _ -> lost := true) ()
  |> E.Callbacks.add_user_event E.Type.int add
  |> E.Callbacks.add_user_event E.Type.span (fun ring at event span ->
      add ring at event (value_of_span span))

let cursor =
  lazy
    (E.start ();
     E.create_cursor None)

let rec drain cursor callbacks =
  if E.read_poll cursor callbacks None > 0 then drain cursor callbacks

(* The result of [f ()] and the events meanwhile. A domain that waits long for another one, which is off its core, makes
   slices of the major collection in the meantime, and the runtime tells of each: they may overwrite what was to be
   heard, and then [f] has to be called again. *)
let rec hear f =
  let cursor = Lazy.force cursor and events = Dynarray.create () and lost = ref false in
  drain cursor (callbacks ~lost (Dynarray.create ()));
  lost := false;
  let v = f () in
  drain cursor (callbacks ~lost events);
  if !lost then hear f else (v, Dynarray.to_list events)

let named name events = List.filter (fun e -> e.name = "drover." ^ name) events

let count name value events =
  List.length (List.filter (fun e -> e.value = value) (named name events))

let values name events = List.map (fun e -> e.value) (named name events)
let check_int = Alcotest.(check int)

let forks () =
  let _, events = hear (fun () -> Drover.run ~domains:1 (fun () -> Fib.fib 15)) in
  check_int "the root is the one task" 1 (count "task" 1 events);
  check_int "which ends" 1 (count "task" 0 events);
  Alcotest.(check (list int)) "a worker comes and goes" [ 0; -1 ] (values "worker" events);
  Alcotest.(check (list int)) "a pool opens" [ 1 ] (values "pool.open" events);
  Alcotest.(check (list int)) "and closes" [ 1 ] (values "pool.close" events)

let tasks () =
  let start_all () =
    List.iter Drover.await
      (List.init 100 (fun i -> Drover.async (fun () -> i))
      |> List.map (fun p -> Drover.async (fun () -> ignore (Drover.await p : int))))
  in
  let (), events = hear (fun () -> Drover.run ~domains:2 start_all) in
  let waits = named "suspend" events in
  (* 200 tasks and the root, but for those that began on top of another; whatever waited is a task
     again when it goes on. *)
  let begins = count "task" 1 events - List.length waits in
  Alcotest.(check bool) "begins" true (begins >= 1 && begins <= 201);
  check_int "ends" (begins + List.length waits) (count "task" 0 events);
  let sorted name = List.sort Int.compare (values name events) in
  Alcotest.(check (list int)) "each wait ends" (sorted "suspend") (sorted "resume");
  Alcotest.(check bool)
    "waits differ" true
    (List.length (List.sort_uniq Int.compare (sorted "suspend")) = List.length waits)

(* In each pool a task waits, and one that its worker runs afterwards says so. *)
let two_pools () =
  let wait_in_both () =
    let gate, opener = Drover.Promise.create () and waiting = Drover.Latch.create 2 in
    let wait () =
      let next = Drover.async (fun () -> Drover.Latch.count_down waiting) in
      Drover.await gate;
      Drover.await next
    in
    let pools = List.init 2 (fun _ -> Drover.Pool.create ~domains:2 ()) in
    let tasks = List.map (fun pool -> Drover.Pool.async pool wait) pools in
    Drover.Latch.wait waiting;
    Drover.Promise.fulfil opener ();
    List.iter Drover.await tasks;
    List.iter Drover.Pool.close pools
  in
  let (), events = hear wait_in_both in
  let waits = values "suspend" events in
  Alcotest.(check bool) "each waits" true (List.length waits >= 2);
  check_int "waits differ" (List.length waits) (List.length (List.sort_uniq Int.compare waits))

let tasks_on_top () =
  let await_some () =
    for i = 1 to 10 do
      check_int "value" i (Drover.await (Drover.async (fun () -> i)))
    done
  in
  let (), events = hear (fun () -> Drover.run ~domains:1 await_some) in
  check_int "the root" 1 (count "task" 1 events);
  check_int "waits" 0 (List.length (named "suspend" events))

(* Two tasks that wait for each other to start, without giving up their workers, need a thief. *)
let meet () =
  let mutex = Stdlib.Mutex.create () and condition = Stdlib.Condition.create () in
  let arrived = ref 0 in
  let arrive () =
    Stdlib.Mutex.protect mutex (fun () ->
        incr arrived;
        Stdlib.Condition.broadcast condition;
        while !arrived < 2 do
          Stdlib.Condition.wait condition mutex
        done)
  in
  Drover.both arrive arrive

let meeting () =
  let _, events = hear (fun () -> Drover.run ~domains:2 meet) in
  Alcotest.(check bool) "a steal" true (values "steal" events <> []);
  let rings = List.sort_uniq Int.compare (List.map (fun e -> e.ring) (named "task" events)) in
  check_int "on two rings" 2 (List.length rings)

(* On one ring tasks do not overlap, and no worker parks within one. *)
let order () =
  let _, events = hear (fun () -> Drover.run ~domains:2 (fun () -> Fib.fib 20)) in
  let check_ring ring =
    let step inside e =
      match (e.name, e.value) with
      | ("drover.task" | "drover.park"), 1 ->
          Alcotest.(check bool) "nothing runs" false inside;
          true
      | ("drover.task" | "drover.park"), _ ->
          Alcotest.(check bool) "something runs" true inside;
          false
      | _ -> inside
    in
    let inside = List.fold_left step false (List.filter (fun e -> e.ring = ring) events) in
    Alcotest.(check bool) "all ended" false inside
  in
  List.iter check_ring (List.sort_uniq Int.compare (List.map (fun e -> e.ring) events))

let batches () =
  let sum = ref 0 in
  let batch = Drover.Batch.create (Array.iter (fun n -> sum := !sum + n)) in
  let submit_all () =
    sum := 0;
    Drover.parallel_for ~start:1 ~finish:1000 (fun i -> Drover.Batch.submit batch i)
  in
  let (), events = hear (fun () -> Drover.run ~domains:2 submit_all) in
  check_int "operations" 1000 (List.fold_left ( + ) 0 (values "batch" events));
  check_int "applied" 500_500 !sum

(* On one domain: the batch of the first operation waits for tasks that are about to queue theirs. *)
let queued_operations () =
  let submit_all () =
    let opened, opener = Drover.Promise.create () and coming = Drover.Latch.create 3 in
    let apply ops =
      if ops.(0) = 0 then begin
        Drover.Promise.fulfil opener ();
        Drover.Latch.wait coming
      end
    in
    let batch = Drover.Batch.create apply in
    let submit_later i =
      Drover.async (fun () ->
          Drover.await opened;
          Drover.Latch.count_down coming;
          Drover.Batch.submit batch i)
    in
    let later = List.init 3 (fun i -> submit_later (i + 1)) in
    Drover.Batch.submit batch 0;
    List.iter Drover.await later
  in
  let (), events = hear (fun () -> Drover.run ~domains:1 submit_all) in
  Alcotest.(check (list int)) "batches" [ 1; 3 ] (values "batch" events)

(* A worker that comes by at collections says once a second where all stand: itself in its task, and the other, which has
   nothing to do, in none. *)
let standings () =
  let collect () =
    for _ = 1 to 250 do
      Unix.sleepf 0.005;
      Gc.minor ()
    done
  in
  let (), events = hear (fun () -> Drover.run ~domains:2 collect) in
  let told = values "standing" events in
  let of_ring ring = List.filter (fun n -> n lsr 16 = ring) told in
  let ring_of worker =
    match List.find_opt (fun e -> e.value = worker) (named "worker" events) with
    | Some e -> e.ring
    | None -> Alcotest.failf "no worker %d" worker
  in
  let check worker ~in_task =
    let is_right n = (n lsr 2) land 0x3fff = worker && n land 3 = 1 = in_task in
    match of_ring (ring_of worker) with
    | [] -> Alcotest.failf "nothing was told of worker %d" worker
    | told -> Alcotest.(check bool) "what is told" true (List.for_all is_right told)
  in
  check 0 ~in_task:true;
  check 1 ~in_task:false;
  Alcotest.(check bool) "seldom" true (List.length told <= 2 * 30)

exception Oops

let names () =
  let use () =
    check_int "a value" 3 (Drover.named "three" (fun () -> 3));
    check_int "again" 3 (Drover.named "three" (fun () -> 3));
    match Drover.named (String.make 300 'x') (fun () -> raise Oops) with
    | () -> Alcotest.fail "nothing was raised"
    | exception Oops -> ()
  in
  let (), events = hear use in
  Alcotest.(check (list int)) "spans" [ 1; 0; 1; 0 ] (values "name.three" events);
  Alcotest.(check (list int)) "a long name" [ 1; 0 ] (values ("name." ^ String.make 100 'x') events)

let many_names () =
  let use () =
    for i = 1 to 1500 do
      Drover.named (string_of_int i) ignore
    done
  in
  let (), events = hear use in
  Alcotest.(check bool) "the last ones share a name" true (count "name.others" 1 events >= 500)

(* A callback gives a name, too, in the middle of that. *)
let names_within () =
  let name kind n = Drover.named (Printf.sprintf "%s %d" kind n) ignore in
  let law moment =
    let n = Interrupted.number moment in
    Interrupted.at moment (fun () -> name "inner" n) (fun () -> name "outer" n)
  in
  Alcotest.(check bool) "it was tried" true (Interrupted.at_each law > 0)

let () =
  Alcotest.run "events"
    [
      ( "heard",
        [
          Watchdog.case "forks are silent" forks;
          Watchdog.case "tasks and waits" tasks;
          Watchdog.case "waits of two pools" two_pools;
          Watchdog.case "tasks on top" tasks_on_top;
          Watchdog.case "steals" meeting;
          Watchdog.case "order" order;
          Watchdog.case "batches" batches;
          Watchdog.case "queued operations" queued_operations;
          Watchdog.case "where workers stand" standings;
          Watchdog.case "names" names;
          Watchdog.case "names within names" names_within;
          Watchdog.case "many names" many_names;
        ] );
    ]
