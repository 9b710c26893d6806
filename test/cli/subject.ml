(* A program to watch, with a known number of tasks, suspensions, batches and collections. It writes
   what it knows on standard output. *)

let tasks = 500
let operations = 2000

let blocks () =
  let gate, open_gate = Drover.Promise.create () in
  let arrived = Drover.Latch.create tasks in
  let wait _ =
    Drover.async (fun () ->
        Drover.Latch.count_down arrived;
        Drover.await gate)
  in
  let waiting = List.init tasks wait in
  (* Then each has begun as a job: who is awaited before it has begun is no task to the trace. *)
  Drover.Latch.wait arrived;
  Drover.Promise.fulfil open_gate ();
  List.iter Drover.await waiting

let batches () =
  let sum = ref 0 and count = ref 0 in
  let apply ops =
    incr count;
    sum := Array.fold_left ( + ) !sum ops
  in
  let batch = Drover.Batch.create apply in
  Drover.parallel_for ~start:1 ~finish:operations (Drover.Batch.submit batch);
  assert (!sum = operations * (operations + 1) / 2);
  !count

let allocate () =
  for i = 1 to 100_000 do
    ignore (Sys.opaque_identity (List.init 20 (fun j -> i + j)) : int list)
  done

let () =
  let domains = int_of_string Sys.argv.(1) in
  let batches =
    Drover.run ~domains (fun () ->
        Drover.named "blocks" blocks;
        Drover.named "allocate" allocate;
        batches ())
  in
  let gc = Gc.quick_stat () in
  Printf.printf "tasks %d\nbatches %d\noperations %d\nminor %d\nmajor %d\n" (tasks + 1) batches
    operations gc.minor_collections gc.major_collections;
  exit 3
