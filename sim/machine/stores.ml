(* Stores: plain writes that others see late, as processors keep them. They become visible in their order: at the
   thread's next atomic step, when it reads that field itself, when it leaves its processor, or at any time. *)

open World

let longest_delay = 16 (* its logarithm, in nanoseconds *)

let rec drain t =
  match Queue.take_opt t.stores with
  | Some store ->
      store.write ();
      drain t
  | None -> ()

(* The first stores, up to the last one to [field] of what lies in [line]. *)
let drain_field t line field =
  let is_of store = store.line == line && String.equal store.field field in
  while Queue.fold (fun found store -> found || is_of store) false t.stores do
    (Queue.take t.stores).write ()
  done

let keep line field write =
  let t = me () in
  let random n = Random.State.int !w.random n in
  if Queue.is_empty t.stores && random 2 <> 0 then write ()
  else begin
    Queue.add { line; field; write } t.stores;
    let left = Queue.length t.stores in
    let drain_some _ = if Queue.length t.stores >= left then drain t in
    ignore (Turns.at (t.time + (1 lsl random longest_delay)) drain_some : int * int)
  end
