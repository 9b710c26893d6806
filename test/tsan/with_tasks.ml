(* Values handed over by what starts, joins and ends tasks. *)

open Drover
open Cell
module Array = Stdlib.Array
module List = Stdlib.List
module Seq = Stdlib.Seq

let forks i =
  let a = create () and b = create () and c = filled i in
  let left () =
    spin 3000;
    check c i;
    fill a i;
    a
  and right () =
    check c i;
    fill b i;
    b
  in
  let a', b' = both left right in
  List.iter (fun cell -> take cell i) [ a; b; c ];
  check a' 0;
  check b' 0

let rec fill_tree cells lo hi =
  if hi - lo = 1 then fill cells.(lo) lo
  else begin
    let mid = (lo + hi) / 2 in
    ignore
      (both (fun () -> fill_tree cells lo mid) (fun () -> fill_tree cells mid hi) : unit * unit);
    check cells.(lo) lo;
    check cells.(hi - 1) (hi - 1)
  end

let tree _ =
  let cells = cells 128 in
  fill_tree cells 0 128;
  Array.iteri (fun i c -> take c i) cells

let several i =
  let fill_one c () =
    fill c i;
    spin 500;
    c
  in
  List.iter (fun c -> take c i) (all (List.init 8 (fun _ -> fill_one (create ()))))

let loops k =
  let n = 3000 in
  let ints = Array.make n 0 and floats = Array.make n 0. and bytes = Bytes.make n 'a' in
  parallel_for ~start:0 ~finish:(n - 1) (fun i ->
      ints.(i) <- i + k;
      floats.(i) <- float i;
      Bytes.set bytes i 'b');
  (* Others write where somebody wrote before. *)
  parallel_for ~start:0 ~finish:(n - 1) (fun i -> ints.(n - 1 - i) <- i);
  parallel_range ~start:0 ~finish:(n - 1) (fun lo hi ->
      for i = lo to hi do
        ints.(i) <- ints.(i) + 1
      done);
  let some = parallel_reduce ~start:0 ~finish:(n - 1) ~init:[] ~combine:( @ ) in
  List.iter incr (some (fun i -> if ints.(i) mod 100 = 0 then [ ref i ] else []));
  ints.(0) <- Bytes.length bytes

let nested_loops k =
  let rows = Array.make_matrix 40 40 0 in
  parallel_for ~start:0 ~finish:39 (fun i ->
      parallel_for ~start:0 ~finish:39 (fun j -> rows.(i).(j) <- i + j + k);
      Array.iteri (fun j x -> assert (x = i + j + k)) rows.(i));
  Array.iter (fun row -> Array.fill row 0 40 0) rows

let loop_of_waits i =
  let cells = cells 40 in
  parallel_for ~start:0 ~finish:39 (fun k ->
      await (async (fun () -> fill cells.(k) i));
      check cells.(k) i);
  Array.iter (fun c -> take c i) cells

(* All that was started has ended, so the cells are the caller's again. *)
let failures i =
  let cells = cells 100 in
  let left () =
    spin 1000;
    fill cells.(0) i;
    raise Exit
  in
  (try ignore (both left (fun () -> fill cells.(1) i) : unit * unit) with Exit -> ());
  (try
     parallel_for ~start:0 ~finish:99 (fun k ->
         fill cells.(k) k;
         if k = 60 then raise Exit)
   with Exit -> ());
  Array.iter (fun c -> fill c 0) cells

let promises i =
  let start c =
    async (fun () ->
        fill c i;
        spin 300;
        c)
  in
  List.iter (fun p -> take (await p) i) (List.init 10 (fun _ -> start (create ())));
  let promise, resolver = Promise.create () in
  let settler = async (fun () -> Promise.fulfil resolver (filled i)) in
  take (await promise) i;
  await settler;
  let c = filled i in
  match
    await
      (async (fun () ->
           take c i;
           raise Exit))
  with
  | () -> assert false
  | exception Exit -> take c 0

let scopes i =
  let cells = cells 6 in
  Scope.run (fun s -> Array.iter (fun c -> Scope.spawn s (fun () -> fill c i)) cells);
  Array.iter (fun c -> take c i) cells;
  let race c () =
    for k = 1 to 100 do
      fill c k;
      Scope.check ()
    done
  in
  Scope.first (List.init 6 (fun k -> race cells.(k)));
  Array.iter (fun c -> fill c 0) cells;
  let endless () =
    while true do
      fill cells.(0) 1;
      Scope.check ()
    done
  in
  (try Scope.with_timeout 0.0005 (fun () -> ignore (both endless ignore : unit * unit))
   with Scope.Timeout -> ());
  fill cells.(0) 0

(* What is written before a cancellation is seen by whoever is cancelled. *)
let cancellation i =
  let c = create () in
  let wait_for_it () =
    try Drover.sleep 3600.
    with Cancelled _ ->
      check c i;
      raise Exit
  in
  try
    Scope.run (fun s ->
        Scope.spawn s (fun () ->
            fill c i;
            Scope.cancel s Exit);
        wait_for_it ())
  with Exit -> take c i

let locals i =
  let key = Local.create (create ()) and c = filled i in
  Local.with_value key c (fun () ->
      let tasks = List.init 5 (fun _ -> async (fun () -> check (Local.get key) i)) in
      parallel_for ~start:0 ~finish:50 (fun _ -> check (Local.get key) i);
      List.iter await tasks);
  take c i

let sleep_and_block i =
  let c = filled i in
  blocking (fun () ->
      take c i;
      fill c i);
  let task =
    async (fun () ->
        take c i;
        Drover.sleep 0.0001;
        fill c i)
  in
  await task;
  take c i

let algorithms k =
  let refs = Drover.Array.init 3000 (fun i -> ref (i + k)) in
  Array.iter incr refs;
  let copies = Drover.Array.map (fun r -> ref !r) refs in
  Array.iter incr copies;
  Array.iter incr (Drover.Array.filter (fun r -> !r land 1 = 0) copies);
  let ints = Array.init 5000 (fun i -> i * 7919 mod 5000) in
  let floats = Array.map float ints and pairs = Array.map (fun i -> (i, ref i)) ints in
  Drover.Array.sort_ints ints;
  Drover.Array.sort_floats floats;
  Drover.Array.stable_sort (fun (a, _) (b, _) -> Int.compare a b) pairs;
  ints.(0) <- 5;
  floats.(0) <- 5.;
  Array.iter (fun (_, r) -> incr r) pairs

let sequences i =
  let cells = Drover.Seq.map (fun k -> filled (i + k)) (Seq.init 50 Fun.id) in
  Seq.iteri (fun k c -> take c (i + k)) cells;
  let unordered = Drover.Seq.map_unordered filled (Seq.init 50 Fun.id) in
  Seq.iter (fun c -> take c c.number) unordered

let all =
  [
    ("forks", forks);
    ("a tree of forks", tree);
    ("several", several);
    ("loops", loops);
    ("nested loops", nested_loops);
    ("a loop of waits", loop_of_waits);
    ("failures", failures);
    ("promises", promises);
    ("scopes", scopes);
    ("cancellation", cancellation);
    ("locals", locals);
    ("sleep and block", sleep_and_block);
    ("algorithms", algorithms);
    ("sequences", sequences);
  ]
