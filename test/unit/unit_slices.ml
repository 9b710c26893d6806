(* What is ready runs soon, though others of its pool have enough to do. *)

open Test_support
open Drover
open Stdlib

let spin seconds =
  let began = Unix.gettimeofday () in
  while Unix.gettimeofday () -. began < seconds do
    ()
  done

(* A heavy job is of so many pieces, some ten seconds in all, which do nothing once the test is over. *)
let pieces = 1 lsl 17
let is_over = Atomic.make false
let work seconds = if not (Atomic.get is_over) then spin seconds
let piece = 1e-4

let rec tree n =
  if n = 1 then work piece
  else
    let (), () = both (fun () -> tree (n / 2)) (fun () -> tree (n / 2)) in
    ()

let for_loop () = parallel_for ~start:1 ~finish:pieces (fun _ -> work piece)

let reduction () =
  let one _ =
    work piece;
    1
  in
  let n = parallel_reduce ~start:1 ~finish:pieces ~init:0 ~combine:( + ) one in
  Stranger.expect "sum" pieces n

let sort () =
  let slowly a b =
    work piece;
    Int.compare a b
  in
  let n = pieces / 16 in
  let a = Array.init n (fun i -> i * 7919 mod n) in
  Drover.Array.sort slowly a

let loop_of_forks () =
  for _ = 1 to pieces / 2 do
    tree 2
  done

let heavy =
  [
    ("for", for_loop);
    ("tree", fun () -> tree pieces);
    ("reduce", reduction);
    ("sort", sort);
    ("loop of forks", loop_of_forks);
  ]

(* [beside heavy small] calls [small pool] some times when [heavy] has begun, and checks that all have come back
   before that has ended. *)
let beside domains heavy small =
  let pool = Pool.create ~domains ~adaptive:false () in
  let has_begun = Atomic.make false and has_ended = Atomic.make false in
  let join =
    Stranger.domain (fun () ->
        Spin.until (fun () -> Atomic.get has_begun);
        for _ = 1 to 5 do
          small pool
        done;
        Stranger.expect "the heavy one goes on" false (Atomic.get has_ended);
        Atomic.set is_over true)
  in
  Atomic.set is_over false;
  Pool.run pool (fun () ->
      Atomic.set has_begun true;
      heavy ();
      Atomic.set has_ended true);
  join ();
  Pool.close pool

let from_outside heavy domains = beside domains heavy (fun pool -> Pool.run pool (fun () -> ()))

let that_sleeps heavy domains =
  beside domains heavy (fun pool -> Pool.run pool (fun () -> sleep 0.001))

let that_forks heavy domains =
  beside domains heavy (fun pool ->
      Pool.run pool (fun () -> parallel_for ~start:1 ~finish:10 (fun _ -> spin piece)))

(* A task of the loop itself waits, and is woken by another. *)
let woken_inside domains =
  let last = ref 0 and seen = Atomic.make 0 in
  let p, resolver = Promise.create () in
  let body i =
    if i = 1 then begin
      await p;
      last := Atomic.get seen;
      Atomic.set is_over true
    end
    else begin
      if Atomic.fetch_and_add seen 1 = 10 then Promise.fulfil resolver ();
      work piece
    end
  in
  Atomic.set is_over false;
  run ~domains (fun () -> parallel_for ~start:1 ~finish:pieces body);
  Alcotest.(check bool) "before the others" true (!last < pieces - 1)

let asleep_inside domains =
  let last = ref 0 and seen = Atomic.make 0 in
  let body i =
    if i = 1 then begin
      sleep 0.01;
      last := Atomic.get seen;
      Atomic.set is_over true
    end
    else begin
      Atomic.incr seen;
      work piece
    end
  in
  Atomic.set is_over false;
  run ~domains (fun () -> parallel_for ~start:1 ~finish:pieces body);
  Alcotest.(check bool) "before the others" true (!last < pieces - 1)

(* When the first of ten has ended, none of the others has only begun. How much they have done depends on the
   processors that the domains had meanwhile. *)
let ten_in_turn domains =
  let n = 400 in
  let pool = Pool.create ~domains ~adaptive:false () in
  let counts = Array.init 10 (fun _ -> Atomic.make 0) and least = Atomic.make (-1) in
  let heavy count () =
    parallel_for ~start:1 ~finish:n (fun _ ->
        spin piece;
        Atomic.incr count);
    let now = Array.fold_left (fun least c -> Int.min least (Atomic.get c)) n counts in
    ignore (Atomic.compare_and_set least (-1) now : bool)
  in
  Array.iter await (Array.map (fun count -> Pool.async pool (heavy count)) counts);
  Pool.close pool;
  if Atomic.get least < n / 40 then
    Alcotest.failf "one has done %d of %d when another has ended" (Atomic.get least) n

(* The task that holds it is put off in between, and goes on with its thread. *)
let standard_mutex () =
  let mutex = Stdlib.Mutex.create () in
  let heavy () =
    for _ = 1 to 64 do
      Stdlib.Mutex.protect mutex (fun () -> tree (pieces / 64))
    done
  in
  from_outside heavy 1

(* The job waits for the task that was put off for it, without the scheduler's knowing. *)
let waits_unseen () =
  let pool = Pool.create ~domains:2 ~adaptive:false () in
  let has_begun = Atomic.make false and has_ended = Atomic.make false in
  Atomic.set is_over false;
  let heavy =
    Pool.async pool (fun () ->
        Atomic.set has_begun true;
        tree 4096;
        Atomic.set has_ended true)
  in
  Spin.until (fun () -> Atomic.get has_begun);
  await (Pool.async pool (fun () -> Spin.until (fun () -> Atomic.get has_ended)));
  await heavy;
  Pool.close pool

(* The thread that was lent for its own small job comes back although it has come to another's. *)
let lent_comes_back () =
  let pool = Pool.create ~domains:1 () in
  let has_ended = Atomic.make false in
  let main = Promise.create () in
  Atomic.set is_over false;
  let join =
    Stranger.thread (fun () ->
        Pool.run pool (fun () ->
            Promise.fulfil (snd main) ();
            tree pieces);
        Atomic.set has_ended true)
  in
  await (fst main);
  for _ = 1 to 5 do
    Pool.run pool (fun () -> sleep 0.001)
  done;
  Alcotest.(check bool) "the heavy one goes on" false (Atomic.get has_ended);
  Atomic.set is_over true;
  join ();
  Pool.close pool

let () =
  (* One worker alone sorts as the standard library does. *)
  let is_tried name domains = domains > 1 || name <> "sort" in
  let each what test =
    List.concat_map
      (fun domains ->
        List.map
          (fun (name, heavy) ->
            Watchdog.case ~seconds:300. (Printf.sprintf "%s, %s, %d" what name domains) (fun () ->
                test heavy domains))
          (List.filter (fun (name, _) -> is_tried name domains) heavy))
      [ 1; 2 ]
  and on_both what test =
    List.map
      (fun domains -> Watchdog.case (Printf.sprintf "%s, %d" what domains) (fun () -> test domains))
      [ 1; 2 ]
  in
  Alcotest.run "slices"
    [
      ("beside a heavy job", each "from outside" from_outside);
      ("and waits itself", each "a sleep" that_sleeps);
      ("and is parallel itself", each "a loop" that_forks);
      ("woken", on_both "by an iteration" woken_inside @ on_both "by a timer" asleep_inside);
      ("heavy ones", on_both "ten" ten_in_turn);
      ( "whose thread",
        [
          Watchdog.case "holds a standard mutex" standard_mutex;
          Watchdog.case "was lent" lent_comes_back;
          Watchdog.case "a wait unseen" waits_unseen;
        ] );
    ]
