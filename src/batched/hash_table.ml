(* Segments, and a gate for whatever needs several of them, or more room in one, or meets a batch. *)

let hash_bits = 60

(* [segments.(hash lsr shift)] has the bindings of a hash. *)
type ('k, 'v) t = {
  hash : 'k -> int;
  equal : 'k -> 'k -> bool;
  segments : ('k, 'v) Segment.t array;
  shift : int;
  gate : ('k, 'v) Operation.t Gate.t;
}

(* So many that few operations meet in one, and so few that a batch may close them all. *)
let fewest_bits = 5 (* 32 segments *)
let most_bits = 9

(* Four segments for each processor, at least. *)
let segment_bits () =
  let processors = Domain.recommended_domain_count () in
  let rec enough bits =
    if bits = most_bits || 1 lsl bits >= 4 * processors then bits else enough (bits + 1)
  in
  enough fewest_bits

(* Spreads the bits of the user's hash over all of them. *)
let hash_of hash key =
  let h = hash key * 0x1E3779B97F4A7C15 in
  let h = h lxor (h lsr 32) * 0x1E3779B97F4A7C15 in
  h land ((1 lsl hash_bits) - 1)

(* Batches *)

(* Shorter batches are not worth sorting, and none is where nobody shares the work. Probe:
   batch-lengths. *)
let short = 1024

let is_alone () =
  match Drover.Pool.current () with Some pool -> Drover.Pool.size pool = 1 | None -> false

let hashed hash op =
  match hash_of hash (Operation.key op) with
  | hash -> hash
  | exception exn ->
      Operation.fail op exn;
      -1

let perform segments shift equal op hash =
  if hash >= 0 then Segment.perform_closed segments.(hash lsr shift) equal hash op

(* By segments, each in the order of the batch. *)
let by_segments segments shift equal ops hashes =
  let region i = hashes.(i) asr shift in
  let order = Drover.Array.init (Array.length ops) Fun.id in
  Drover.Array.sort_by_key region order;
  let together i = region order.(i - 1) = region order.(i) in
  Pieces.iter (Array.length ops) ~together (fun first last ->
      for i = first to last do
        perform segments shift equal ops.(order.(i)) hashes.(order.(i))
      done)

(* [f ()], while the segments that [close] closes are closed. *)
let closing segments ~close f =
  let finally () = Array.iter Segment.reopen segments in
  Fun.protect ~finally (fun () ->
      close ();
      f ())

let process segments shift hash equal ops =
  let is_long = Array.length ops >= short && not (is_alone ()) in
  let hashes =
    if is_long then Drover.Array.map (hashed hash) ops else Young.map (hashed hash) ops
  in
  let close () = Array.iter (fun h -> if h >= 0 then Segment.close segments.(h lsr shift)) hashes
  and apply () =
    if is_long then by_segments segments shift equal ops hashes
    else Array.iter2 (perform segments shift equal) ops hashes
  in
  closing segments ~close apply

let create ?pool ~hash ~equal () =
  let bits = segment_bits () in
  let segments = Array.init (1 lsl bits) (fun _ -> Segment.create ())
  and shift = hash_bits - bits in
  let many = process segments shift hash equal in
  let one op = many [| op |] in
  {
    hash;
    equal;
    segments;
    shift;
    gate = Gate.create ?pool ~applied:Operation.is_settled ~one ~many ();
  }

let apply t ops = Gate.submit_all t.gate ops

module Gated = Map_ops.Make (struct
  type nonrec ('k, 'v) t = ('k, 'v) t

  let submit t op = Gate.submit t.gate op
  let apply = apply
end)

include Gated

(* Single operations: by themselves where that is possible. *)

let bucket t key =
  let hash = hash_of t.hash key in
  Segment.find t.equal hash key (Segment.bucket t.segments.(hash lsr t.shift) hash)

let grow t segment =
  Gate.alone t.gate (fun () ->
      let close () = Segment.close segment and grow () = Segment.grow_if_full segment in
      closing [| segment |] ~close grow)

let rec perform_open t key action =
  let hash = hash_of t.hash key in
  let segment = t.segments.(hash lsr t.shift) in
  match Segment.perform segment t.equal hash key action with
  | before -> before
  | exception Segment.Full ->
      grow t segment;
      perform_open t key action

(* Each of these may wait, and so is a place where a task that is cancelled raises. *)

let perform t key action =
  Drover.Scope.check ();
  perform_open t key action

let bucket t key =
  Drover.Scope.check ();
  bucket t key

let find t key =
  match bucket t key with
  | bucket -> Segment.value bucket
  | exception Segment.Closed -> Gated.find t key

let mem t key =
  match bucket t key with
  | bucket -> bucket != Nothing
  | exception Segment.Closed -> Gated.mem t key

let insert t key value =
  match perform t key (Insert value) with
  | (_ : _ Segment.bucket) -> ()
  | exception Segment.Closed -> Gated.insert t key value

let add t key value =
  match perform t key (Add value) with
  | before -> before == Nothing
  | exception Segment.Closed -> Gated.add t key value

let delete t key =
  match perform t key Delete with
  | before -> before != Nothing
  | exception Segment.Closed -> Gated.delete t key

let update t key f =
  match perform t key (Update f) with
  | (_ : _ Segment.bucket) -> ()
  | exception Segment.Closed -> Gated.update t key f

(* Looking *)

(* [f ()], which has the whole table to itself. *)
let alone t f =
  Gate.alone t.gate (fun () ->
      let result = ref None in
      let close () = Array.iter Segment.close t.segments in
      closing t.segments ~close (fun () -> result := Some (f ()));
      Option.get !result)

let length t =
  alone t (fun () -> Array.fold_left (fun n (s : _ Segment.t) -> n + s.length) 0 t.segments)

let snapshot t =
  let slots (s : _ Segment.t) = s.slots in
  alone t (fun () -> Drover.Array.concat (List.map slots (Array.to_list t.segments)))

let to_array t =
  Drover.Array.concat_map (fun bucket -> Array.of_list (Segment.bindings [] bucket)) (snapshot t)

let iter f t =
  Array.iter
    (fun b -> List.iter (fun (key, value) -> f key value) (Segment.bindings [] b))
    (snapshot t)

let validate t =
  alone t (fun () ->
      Array.iteri
        (fun i s ->
          Segment.validate s ~equal:t.equal ~hash_of:(fun key ->
              let hash = hash_of t.hash key in
              if hash lsr t.shift = i then hash else -1))
        t.segments)

let batch_sizes t = Gate.batch_sizes t.gate
