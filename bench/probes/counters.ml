open Drover_harness
module Counter = Drover_batched.Counter

let plain n () =
  let count = ref 0 in
  let undo () = count := 0 and length () = !count in
  Contest.unbatched ~lock:"mutex" ~undo ~length n (fun _ -> incr count)

let atomic n () =
  let count = Atomic.make 0 in
  [
    Contest.subject In_parallel "atomic"
      ~undo:(fun () -> Atomic.set count 0)
      ~length:(fun () -> Atomic.get count)
      (Contest.by_tasks n (fun _ -> Atomic.incr count));
  ]

let batched n () =
  let counter = Counter.create 0 in
  Contest.batched
    ~undo:(fun () -> ignore (Counter.update counter (fun _ -> 0) : int))
    ~batches:(fun () -> [||])
    ~length:(fun () -> Counter.get counter)
    n
    (fun _ -> Counter.incr counter)
    ~all:(fun () -> ignore (Counter.add_all counter (Array.make n 1) : int array))

(* The array of the direct call is there before: to make one is part of what a submission costs. *)
let uncontended n =
  let count = ref 0 in
  let add = Sys.opaque_identity (Array.iter (fun k -> count := !count + k)) in
  let batch = Drover.Batch.create add and one = [| 1 |] in
  let direct = Contest.singly n (fun _ -> add one) in
  let submitted = Contest.singly n (fun _ -> Drover.Batch.submit batch 1) in
  match Drover.run ~domains:1 (fun () -> Turns.medians 7 [ direct; submitted ]) with
  | [ direct; submitted ] ->
      let ns seconds = seconds *. 1e9 /. float n in
      [
        Probe.figure "a direct call" "ns" (ns direct);
        Probe.figure ~goal:(At_most 60.) "an uncontended Batch.submit, above a direct call" "ns"
          (ns (submitted -. direct));
      ]
  | _ -> assert false (* one median for each version *)

let run (s : Probe.settings) =
  let n = Kernel.by_size s.size ~tiny:500 ~quick:200_000 ~full:2_000_000 in
  let contest : Contest.t =
    { operations = n; length_after = n; rounds = Kernel.by_size s.size ~tiny:1 ~quick:5 ~full:9 }
  in
  let results =
    Contest.measure contest [ plain n; atomic n; Kcas_structures.accumulator n; batched n ]
  in
  let implicit = Contest.speed results "implicit" 2 in
  let mutex = Contest.speed results "mutex" 2 in
  Contest.figures results
  @ Fork_of_domainslib.figures Fork_of_domainslib.counter
  @ [
      Probe.ratio ~goal:(At_least 5.) "implicit over the fork's, 2" implicit
        Fork_of_domainslib.(implicit counter);
      Probe.ratio ~goal:(At_least 1.) "implicit over mutex, 2" implicit mutex;
    ]
  @ uncontended (10 * n)

let probe : Probe.t = { name = "counter"; doc = "adding to a counter"; run }
