open Drover_harness

(* What a batch of so many operations at two domains is to be over single ones. *)
let goals = [ (64, 1.6); (256, 1.8); (1024, 2.); (4096, 2.3) ]

let over_sequential results ~domains k goal =
  let name = Contest.of_length k in
  Probe.ratio ~goal:(At_least goal)
    (Printf.sprintf "%s, %d, over sequential" name domains)
    (Contest.speed results name domains)
    (Contest.speed results "sequential" 1)

(* There are goals where the keys are ordered: there is a search to gain on. *)
let ratios results =
  List.map (fun k -> over_sequential results ~domains:1 k 1.) Contest.batch_lengths
  @ List.map (fun (k, goal) -> over_sequential results ~domains:2 k goal) goals

let no_ratios _ = []

let structures =
  [
    ("ordered map", Ordered_maps.in_batches, ratios);
    ("hash table", Hash_tables.in_batches, no_ratios);
    ("priority queue", Priority_queues.in_batches, no_ratios);
  ]

let run (s : Probe.settings) =
  let k = Keys.make s.size in
  let figures (name, in_batches, ratios) =
    let results = in_batches k s.size in
    let named (f : Probe.figure) = { f with label = name ^ ", " ^ f.label } in
    List.map named (Contest.figures results @ ratios results)
  in
  List.concat_map figures structures

let probe : Probe.t = { name = "batch-lengths"; doc = "batches of so many operations"; run }
