(* A skip list behind a gate. [serial] numbers the operations, see [Skip_batch]. *)

type ('k, 'v) state = {
  compare : 'k -> 'k -> int;
  line : ('k, 'v) Skip_line.t;
  mutable length : int;
  mutable serial : int;
}

type ('k, 'v) t = { state : ('k, 'v) state; gate : ('k, 'v) Op.t Gate.t }

let process s ops =
  let serial = s.serial in
  s.serial <- serial + Array.length ops;
  Growth.count ~before:s.length
    ~set:(fun length -> s.length <- length)
    ~recount:(fun () -> Skip_line.length s.line)
    (fun () -> Skip_batch.apply s.compare s.line ops serial)

let process_one s op =
  s.serial <- s.serial + 1;
  s.length <- s.length + Skip_batch.one s.compare s.line s.serial op

let create ?pool compare =
  let state = { compare; line = Skip_line.create (); length = 0; serial = 0 } in
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

let collect t visit =
  Gate.alone t.gate (fun () ->
      let found = Dynarray.create () in
      visit (fun key value -> Dynarray.add_last found (key, value));
      Dynarray.to_array found)

let to_array t = collect t (fun add -> Skip_line.iter add t.state.line.heads.(0))

let range t ~lo ~hi =
  collect t (fun add -> Skip_line.iter_range t.state.compare add t.state.line lo hi)

let iter f t = Array.iter (fun (key, value) -> f key value) (to_array t)

let validate t =
  Gate.alone t.gate (fun () ->
      if Skip_line.validate t.state.compare t.state.line <> t.state.length then
        failwith "Drover_batched: a skip list is broken: length")

let batch_sizes t = Gate.batch_sizes t.gate
