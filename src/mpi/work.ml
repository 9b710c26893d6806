(* Work: what rank 0, the leader, and the other ranks say to each other, and how items are computed.

   The function of a map travels once to a rank, as part of a function from bytes to results; so the
   types of items and results meet only inside that, on both ends.

   leader: Open call, then Piece ..., then Close call; or Everywhere call
   others: Results of a call, as items end; or Returned
   and in the end: End, which they answer with Bye. *)

type outcome = Done of Bytes.t | Raised of Failure.t
type piece = { items : int array; compute : int -> outcome (* by place in [items] *) }

type order =
  | Open of int * (Bytes.t -> piece)
  | Piece of int * Bytes.t
  | Close of int
  | Everywhere of int * (unit -> Bytes.t)
  | End

type report = Results of int * (int * outcome) list | Returned of int * Bytes.t | Bye

let attempt f item x =
  let rank = Here.rank () in
  let raised message = Raised { item = Some item; rank; message; backtrace = "" } in
  match f x with
  | v -> (
      match Parcel.pack_result v with
      | Ok bytes -> Done bytes
      | Error why -> raised ("its result cannot be sent: " ^ why))
  | exception exn -> Raised (Failure.of_exn ~item ~rank exn (Printexc.get_raw_backtrace ()))

let piece f items xs = { items; compute = (fun i -> attempt f items.(i) xs.(i)) }

(* A piece as it travels, and its opening elsewhere. An error names an item that cannot be sent. *)
let pack_piece all items =
  match Parcel.pack_result (items, Array.map (fun item -> all.(item)) items) with
  | Ok bytes -> bytes
  | Error why ->
      let cannot item = Result.is_error (Parcel.pack_result all.(item)) in
      let culprit = List.find_opt cannot (Array.to_list items) in
      let name = Option.fold culprit ~none:"an item" ~some:(Printf.sprintf "item %d") in
      invalid_arg (Printf.sprintf "Drover_mpi: %s cannot be sent to another rank: %s" name why)

let open_piece f bytes =
  let items, xs = Parcel.unpack bytes in
  piece f items xs

(* On all domains of this rank. *)
let compute piece ~is_wanted ~record =
  Drover.Local.with_value Here.part Here.Item @@ fun () ->
  Drover.parallel_for ~start:0
    ~finish:(Array.length piece.items - 1)
    (fun i ->
      if is_wanted () then record piece.items.(i) (piece.compute i);
      Here.tick ())
