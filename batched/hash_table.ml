(* Buckets behind a gate. *)

type ('k, 'v) state = { buckets : ('k, 'v) Buckets.t; mutable length : int }
type ('k, 'v) t = { state : ('k, 'v) state; gate : ('k, 'v) Op.t Gate.t }

(* Shorter batches are not worth sorting, and none is where nobody shares the work. Kernel:
   batch-lengths. *)
let short = 1024

let is_alone () =
  match Drover.Pool.current () with Some pool -> Drover.Pool.size pool = 1 | None -> false

let hashed s op =
  match Buckets.hash_of s.buckets (Op.key op) with
  | hash -> hash
  | exception exn ->
      Op.fail op exn;
      -1

let perform s op hash grown = if hash >= 0 then Buckets.perform s.buckets op hash grown

let in_turn s ops =
  let grown = ref 0 in
  Array.iter (fun op -> perform s op (hashed s op) grown) ops;
  !grown

(* By regions of whole buckets, 256 at most, each in the order of the batch. *)
let by_regions s ops =
  let hashes = Drover.Array.map (hashed s) ops in
  let bits = Int.min 8 s.buckets.bits in
  let region i = hashes.(i) asr (Buckets.hash_bits - bits) in
  let order = Drover.Array.init (Array.length ops) Fun.id in
  Drover.Array.sort_by_key region order;
  let together i = region order.(i - 1) = region order.(i) in
  Pieces.sum (Array.length ops) ~together (fun first last ->
      let grown = ref 0 in
      for i = first to last do
        perform s ops.(order.(i)) hashes.(order.(i)) grown
      done;
      !grown)

let process s ops =
  let adding = Drover.Array.count Op.may_add ops in
  Buckets.reserve s.buckets (s.length + adding);
  let apply = if Array.length ops < short || is_alone () then in_turn else by_regions in
  Growth.count ~before:s.length
    ~set:(fun length -> s.length <- length)
    ~recount:(fun () -> Buckets.length s.buckets)
    (fun () -> apply s ops)

let process_one s op =
  if Op.may_add op then Buckets.reserve s.buckets (s.length + 1);
  let grown = ref 0 in
  perform s op (hashed s op) grown;
  s.length <- s.length + !grown

let create ?pool ~hash ~equal () =
  let state = { buckets = Buckets.create hash equal; length = 0 } in
  let gate =
    Gate.create ?pool ~applied:Op.is_settled ~one:(process_one state) ~many:(process state) ()
  in
  { state; gate }

let apply t ops = Gate.submit_all t.gate ops

include Map_ops.Make (struct
  type nonrec ('k, 'v) t = ('k, 'v) t

  let submit t op = Gate.submit t.gate op
  let apply = apply
end)

let length t = Gate.alone t.gate (fun () -> t.state.length)
let snapshot t = Gate.alone t.gate (fun () -> Drover.Array.copy t.state.buckets.slots)

let to_array t =
  Drover.Array.concat_map (fun bucket -> Array.of_list (Buckets.bindings [] bucket)) (snapshot t)

let iter f t =
  Array.iter
    (fun b -> List.iter (fun (key, value) -> f key value) (Buckets.bindings [] b))
    (snapshot t)

let validate t =
  Gate.alone t.gate (fun () ->
      Buckets.validate t.state.buckets;
      if Buckets.length t.state.buckets <> t.state.length then
        failwith "Drover_batched: a hash table is broken: length")

let batch_sizes t = Gate.batch_sizes t.gate
