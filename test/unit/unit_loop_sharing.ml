(* A few costly iterations or elements are shared among the workers, and a cancelled loop stops. *)

open Test_support
open Drover
open Stdlib

let seconds = Unix.gettimeofday

let spin_for time =
  let start = seconds () in
  while seconds () -. start < time do
    Domain.cpu_relax ()
  done

(* [shared ~spin ~wait] is [(element, met)]: element 0 takes [spin] seconds, elements 1 and 2 wait for
   each other for [wait] seconds at most, and [met ()] tells whether both were there. *)
let shared ~spin ~wait =
  let arrived = Atomic.make 0 and met = Atomic.make false in
  let element i =
    if i = 0 then spin_for spin
    else begin
      Atomic.incr arrived;
      let start = seconds () in
      while Atomic.get arrived < 2 && seconds () -. start < wait do
        Domain.cpu_relax ()
      done;
      if Atomic.get arrived = 2 && i = 1 then Atomic.set met true
    end
  in
  (element, fun () -> Atomic.get met)

(* Element 1 comes first where one domain does all, and then never meets the other. The time that
   another worker needs to come by is up to the operating system, so it gets ever more, from a little
   more than a caller outside a task goes on alone. *)
let rec attempt call ~spin ~wait =
  let element, met = shared ~spin ~wait in
  call element;
  if not (met ()) then
    attempt call ~spin:(Float.min 1. (1.5 *. spin)) ~wait:(Float.min 2. (1.1 *. wait))

(* The default pool has as many domains as there are processors. *)
let places () =
  let outside = if Pool.size (Pool.default ()) > 1 then [ List.hd Place.all ] else [] in
  Place.task 2 :: Place.task 4 :: outside

(* Each way to call the user's function for the elements of [a] by their keys, which all differ. *)
let by_key a : (string * ((int -> unit) -> unit)) list =
  let key f x =
    f x;
    x
  in
  [
    ("group_by", fun f -> ignore (Drover.Array.group_by (key f) a : (int * int array) array));
    ("count_by", fun f -> ignore (Drover.Array.count_by (key f) a : (int * int) array));
    ("distinct", fun f -> ignore (Drover.Array.distinct ~hash:(key f) a : int array));
    ( "reduce_by",
      fun f -> ignore (Drover.Array.reduce_by ~combine:( + ) Fun.id (key f) a : (int * int) array)
    );
    ("join_by", fun f -> ignore (Drover.Array.join_by Fun.id (key f) a a : (int * int) array));
  ]

(* Each way to go through 0, 1 and 2. *)
let forms : (string * ((int -> unit) -> unit)) list =
  let a = Array.init 3 Fun.id and combine () () = () in
  let after f v i =
    f i;
    v
  in
  Loop_forms.over 3
  @ [
      ("Array.init", fun f -> ignore (Drover.Array.init 3 f : unit array));
      ("Array.map", fun f -> ignore (Drover.Array.map f a : unit array));
      ("Array.iter", fun f -> Drover.Array.iter f a);
      ("Array.reduce", fun f -> Drover.Array.reduce ~init:() ~combine f a);
      ("Array.fold", fun f -> Drover.Array.fold ~make:ignore ~merge:combine (fun () i -> f i) a);
      ("Array.count", fun f -> ignore (Drover.Array.count (after f true) a : int));
      ("Array.filter", fun f -> ignore (Drover.Array.filter (after f true) a : int array));
      ("Array.exists", fun f -> ignore (Drover.Array.exists (after f false) a : bool));
      ("List.map", fun f -> ignore (Drover.List.map f [ 0; 1; 2 ] : unit list));
      ("List.iter", fun f -> Drover.List.iter f [ 0; 1; 2 ]);
      ("List.filter", fun f -> ignore (Drover.List.filter (after f true) [ 0; 1; 2 ] : int list));
      ("Array.find_index", fun f -> ignore (Drover.Array.find_index (after f false) a : int option));
      ("Rng.iter", fun f -> Rng.iter (Random.State.make [||]) 3 (fun _ i -> f i));
      ( "Rng.init",
        fun f -> ignore (Rng.init (Random.State.make [||]) 3 (fun _ i -> f i) : unit array) );
      ( "Rng.reduce",
        fun f -> Rng.reduce (Random.State.make [||]) 3 ~init:() ~combine (fun _ i -> f i) );
      ("Delayed.iter", fun f -> Drover.Delayed.(iter f (tabulate 3 Fun.id)));
      ("Seq.iter", fun f -> Drover.Seq.iter f (Stdlib.Seq.take 3 (Stdlib.Seq.ints 0)));
    ]
  @ by_key a

let meets call (place : Place.t) = place.call (fun () -> attempt call ~spin:20e-6 ~wait:0.05)

(* Each of [n] elements is costly, and two domains have some of the second half. *)
let rec by_two call n ~spin =
  let here = Domain.self () and mine = Atomic.make false and others = Atomic.make false in
  call (fun i ->
      spin_for spin;
      if 2 * i >= n then Atomic.set (if Domain.self () = here then mine else others) true);
  if not (Atomic.get mine && Atomic.get others) then by_two call n ~spin:(1.5 *. spin)

(* Element 0 holds its domain in a system call until element 2 has run, in a new pool: there a thief
   comes, and need not wait for the end of an iteration. *)
let blocks call () =
  for _ = 1 to 20 do
    let inlet, outlet = Unix.pipe ~cloexec:true () in
    let element i =
      if i = 0 then ignore (Unix.read inlet (Bytes.create 1) 0 1 : int)
      else if i = 2 then ignore (Unix.write_substring outlet "x" 0 1 : int)
    in
    run ~domains:2 (fun () -> call element);
    List.iter Unix.close [ inlet; outlet ]
  done

(* One worker has all iterations of a range in one call. *)
let in_one_call = [ "range"; "reduce_range"; "fold_range" ]

(* On one domain: element 1 is suspended until element 2 has sent. *)
let waits call () =
  run ~domains:1 (fun () ->
      let c = Chan.bounded 1 in
      call (fun i -> if i = 1 then Chan.recv c else if i = 2 then Chan.send c ()))

(* The iterations of the inner loops are many and cheap, those of the outer one few: each inner loop
   is on one domain unless it is divided itself. *)
let nested () =
  let n = 8 and width = 1000 in
  let visits = Array.init (n * width) (fun _ -> Atomic.make 0) in
  run ~domains:4 (fun () ->
      for _ = 1 to 20 do
        parallel_for ~start:0 ~finish:(n - 1) (fun i ->
            parallel_for ~start:0 ~finish:(width - 1) (fun j ->
                Atomic.incr visits.((i * width) + j)))
      done);
  Array.iter (fun v -> Stranger.expect "visits" 20 (Atomic.get v)) visits

(* On one domain: the iteration in which the scope is cancelled is the last. *)
let cancelled_loop () =
  let ran = ref 0 in
  run ~domains:1 (fun () ->
      match
        Scope.run (fun scope ->
            parallel_for ~start:1 ~finish:1_000_000 (fun i ->
                incr ran;
                if i = 100 then Scope.cancel scope Exit))
      with
      | () | (exception Exit) -> ());
  Stranger.expect "iterations" 100 !ran

(* On several, each worker ends at most the iteration that it is in, and begins none once it has
   heard. *)
let cancelled_everywhere domains () =
  run ~domains (fun () ->
      for _ = 1 to 50 do
        let ran = Atomic.make 0 in
        (match
           Scope.run (fun scope ->
               parallel_for ~start:1 ~finish:max_int (fun _ ->
                   if Atomic.fetch_and_add ran 1 = 1000 then Scope.cancel scope Exit))
         with
        | () | (exception Exit) -> ());
        if Atomic.get ran < 1001 then Alcotest.fail "stopped before it was cancelled"
      done)

let many n =
  List.map
    (fun (name, call) ->
      Watchdog.case (Printf.sprintf "%s of %d" name n) (fun () ->
          run ~domains:2 (fun () -> by_two call n ~spin:5e-6)))
    (by_key (Array.init n Fun.id))

let () =
  Alcotest.run "unit loop_sharing"
    [
      ( "costly elements meet",
        List.map
          (fun (name, call) -> Watchdog.case name (fun () -> List.iter (meets call) (places ())))
          forms );
      ("many costly elements", many 2_000 @ many 10_000);
      ( "while an element waits",
        List.map
          (fun (name, call) -> Watchdog.case name (waits call))
          (List.filter (fun (name, _) -> not (List.mem name in_one_call)) forms) );
      ( "while an element blocks",
        List.map (fun (name, call) -> Watchdog.case name (blocks call)) forms );
      ("nested", [ Watchdog.case "each iteration once" nested ]);
      ( "cancelled",
        Watchdog.case "one domain" cancelled_loop
        :: List.map
             (fun n -> Watchdog.case (Printf.sprintf "%d domains" n) (cancelled_everywhere n))
             [ 1; 2; 4 ] );
    ]
