(* How many batches an operation waits for: the rest of the one in progress, full ones of what came
   before, and its own. One domain, where nothing comes between a look and the submission that
   follows it; whoever waits for nothing else is at most two batches from its end. *)

open Test_support
open Drover
open Stdlib

type load = {
  max : int;
  tasks : int list list; (* of each operation: how often its task waits for another before *)
  pauses : int list; (* the same for each batch, over and over *)
}

let print l =
  let ints l = "[" ^ String.concat "; " (List.map string_of_int l) ^ "]" in
  Printf.sprintf "max = %d, tasks = %s, pauses = %s" l.max
    (String.concat " " (List.map ints l.tasks))
    (ints l.pauses)

let gen =
  let open QCheck2.Gen in
  let pauses most = int_range 0 most in
  map
    (fun (max, tasks, pauses) -> { max; tasks; pauses })
    (tup3 (int_range 1 8)
       (list_size (int_range 1 30) (list_size (int_range 1 6) (pauses 3)))
       (list_size (int_range 1 4) (pauses 4)))

type op = { begun : int; (* batches, when it was submitted *) mutable own : int }

let pause n =
  for _ = 1 to n do
    await (async ignore)
  done

(* Runs the load, and returns the operations and the sizes of the batches. *)
let play l =
  let sizes = Dynarray.create () and ops = ref [] in
  let pauses = Array.of_list l.pauses in
  let process batch =
    let index = Dynarray.length sizes in
    Dynarray.add_last sizes (Array.length batch);
    Array.iter (fun op -> op.own <- index) batch;
    pause pauses.(index mod Array.length pauses)
  in
  let batch = Batch.create ~max:l.max process in
  let submit before =
    pause before;
    let op = { begun = Dynarray.length sizes; own = -1 } in
    ops := op :: !ops;
    Batch.submit batch op
  in
  let start task = async (fun () -> List.iter submit task) in
  run ~domains:1 (fun () -> List.iter await (List.map start l.tasks));
  (!ops, Dynarray.to_array sizes)

let waits_for_full_ones l =
  let ops, sizes = play l in
  let is_full i = sizes.(i) = l.max in
  let between op = List.init (op.own - op.begun) (fun i -> op.begun + i) in
  Array.fold_left ( + ) 0 sizes = List.length ops
  && List.for_all (fun op -> op.own >= op.begun && List.for_all is_full (between op)) ops

(* [width] operations at a time, [depth] times: the first keeps its batch until the others wait. *)
type rounds = { most : int; depth : int; width : int }

let print_rounds r = Printf.sprintf "max = %d, %d times %d operations" r.most r.depth r.width

let gen_rounds =
  let open QCheck2.Gen in
  map
    (fun (most, depth, width) -> { most; depth; width })
    (tup3 (int_range 1 10) (int_range 1 10) (int_range 1 40))

let two_for_each_step r =
  let gate = ref ignore and batches = ref 0 in
  let process ops =
    incr batches;
    if Array.mem 0 ops then !gate ()
  in
  let batch = Batch.create ~max:r.most process in
  let round () =
    let begun, tell = Promise.create () and opened, opener = Promise.create () in
    (gate :=
       fun () ->
         Promise.fulfil tell ();
         await opened);
    let waiting = ref 0 in
    let submit i () =
      incr waiting;
      Batch.submit batch i
    in
    let first = async (fun () -> Batch.submit batch 0) in
    await begun;
    let others = List.init (r.width - 1) (fun i -> async (submit (i + 1))) in
    while !waiting < r.width - 1 do
      sleep 0.
    done;
    Promise.fulfil opener ();
    List.iter await (first :: others)
  in
  run ~domains:1 (fun () ->
      for _ = 1 to r.depth do
        round ()
      done);
  !batches <= (r.depth * r.width / r.most) + (2 * r.depth)

let () =
  Properties.run
    [
      Watchdog.property ~count:1000 ~name:"an operation waits for full batches" ~print gen
        waits_for_full_ones;
      Watchdog.property ~count:300 ~name:"two batches for each step" ~print:print_rounds gen_rounds
        two_for_each_step;
    ]
