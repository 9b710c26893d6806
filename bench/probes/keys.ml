open Drover_harness

type t = { old : int array; fresh : int array }

(* All different, in no order. *)
let of_lengths ~old ~fresh =
  let rng = Random.State.make [| 20; 17 |] in
  let keys = Array.init (old + fresh) (fun i -> (i * 1000) + Random.State.int rng 1000) in
  Array.shuffle ~rand:(Random.State.int rng) keys;
  { old = Array.sub keys 0 old; fresh = Array.sub keys old fresh }

let make size =
  let old, fresh =
    Kernel.by_size size ~tiny:(2000, 500) ~quick:(1_000_000, 100_000) ~full:(1_000_000, 100_000)
  in
  of_lengths ~old ~fresh

let bindings keys = Array.mapi (fun i key -> (key, i)) keys

(* In ten batches, so that neighbours come to be in different places of the memory, as in a map that
   has grown one key at a time. In a pool of their own, which goes: an idle domain would take part
   in the collections of all that is measured. *)
let preload k insert_all =
  let part = Array.length k.old / 10 in
  Drover.run ~domains:2 (fun () ->
      for i = 0 to 9 do
        insert_all (bindings (Array.sub k.old (i * part) part))
      done)

let contest k size : Contest.t =
  let operations = Array.length k.fresh in
  {
    operations;
    length_after = Array.length k.old + operations;
    rounds = Kernel.by_size size ~tiny:1 ~quick:3 ~full:7;
  }

(* A ratio has a goal where the keys are ordered: there is a search to gain on. *)
let ratios ?(goals = true) results ~lock =
  let speed = Contest.speed results in
  let over label goal a b =
    let goal = if goals then Some (Probe.At_least goal) else None in
    Probe.ratio ?goal label a b
  in
  let explicit = speed "explicit" 2 and implicit = speed "implicit" 2 in
  let sequential = speed "sequential" 1 in
  [
    over "explicit, 2, over sequential" 1.8 explicit sequential;
    over "implicit, 1, over sequential" 1. (speed "implicit" 1) sequential;
    over "implicit, 2, over sequential" 1.6 implicit sequential;
    over "implicit over explicit, 2" 0.6 implicit explicit;
    over "implicit over lock, 2" 3. implicit (speed lock 2);
  ]
  @
  if Contest.has results "saturn" then
    [ over "implicit over saturn, 2" 1. implicit (speed "saturn" 2) ]
  else []
