(* Mailboxes: what has come and was not received yet, by source and tag. What a rank sent before it
   ended can still be received. *)

type t = {
  lock : Mutex.t;
  boxes : (int * int, Bytes.t Drover.Chan.t) Hashtbl.t;
  reasons : string option array; (* of ranks that have ended *)
}

let create ~size =
  { lock = Mutex.create (); boxes = Hashtbl.create 64; reasons = Array.make size None }

let box t source tag =
  Mutex.protect t.lock @@ fun () ->
  match Hashtbl.find_opt t.boxes (source, tag) with
  | Some box -> box
  | None ->
      let box = Drover.Chan.unbounded () in
      if t.reasons.(source) <> None then Drover.Chan.close box;
      Hashtbl.add t.boxes (source, tag) box;
      box

let deliver t ~source ~tag bytes = ignore (Drover.Chan.try_send (box t source tag) bytes : bool)

let ended t ~rank reason =
  Mutex.protect t.lock @@ fun () ->
  t.reasons.(rank) <- Some reason;
  Hashtbl.iter (fun (source, _) box -> if source = rank then Drover.Chan.close box) t.boxes

(* Calls [poll] for some time, and then suspends. *)
let receive t ~source ~tag ~poll ~spin =
  let box = box t source tag in
  let deadline = if spin > 0. then Unix.gettimeofday () +. spin else 0. in
  let rec look () =
    match Drover.Chan.try_recv box with
    | Some bytes -> bytes
    | None when spin > 0. && Unix.gettimeofday () < deadline ->
        poll ();
        look ()
    | None -> Drover.Chan.recv box
  in
  try look ()
  with Drover.Chan.Closed ->
    let reason = Option.value t.reasons.(source) ~default:"" in
    raise (Failure.Rank_ended { rank = source; reason })
