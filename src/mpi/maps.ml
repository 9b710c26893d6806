(* Maps over ranks: see [Call] for what becomes of an item, and [Pieces] for who gets it. *)

(* With more ranks than that, rank 0 does nothing but lead. *)
let most_with_working_leader = 64

let shares (t : Leader.t) =
  let size = Array.length t.domains in
  let domains i n = if i = 0 && size > most_with_working_leader then 0 else n in
  let domains = Array.mapi domains t.domains in
  let all = Array.fold_left ( + ) 0 domains in
  Array.map (fun n -> float n /. float all) domains

(* What may be repeated with the same journal: the function with what it knows, and the items. *)
let digest f items =
  match Parcel.pack_result (f, items) with
  | Ok bytes -> Digest.bytes bytes
  | Error why ->
      invalid_arg ("Drover_mpi: a journal needs a function and items that can be sent: " ^ why)

type 'b results = { journal : Journal.t option; found : (int, Bytes.t) Hashtbl.t }

let open_journal file f items =
  let found = Hashtbl.create 16 in
  let program = Lazy.force Parcel.program in
  let open_ file = Journal.open_ file ~program ~input:(digest f items) (Hashtbl.replace found) in
  { journal = Option.map open_ file; found }

(* What could not go to another rank ends the map in rank 0, too, because chance decides which rank gets
   it. Alone, rank 0 saves the time. *)
let check all (call : Call.t) items =
  if call.here.transport.size > 1 then
    try ignore (Work.pack_piece all items : Bytes.t)
    with Invalid_argument _ as refusal -> Call.guarded call (fun () -> raise refusal)

(* Rank 0's own items, as tasks of [scope]. Whoever waits for results goes first. *)
let compute_here scope f all (call : Call.t Lazy.t) items =
  Drover.Scope.spawn scope (fun () ->
      let call = Lazy.force call in
      let record item outcome =
        Call.end_items call 0 [ (item, outcome) ];
        if Drover.Chan.length call.arrivals > 0 then Drover.sleep 0.
      in
      check all call items;
      let xs = Array.map (fun item -> all.(item)) items in
      Work.compute (Work.piece f items xs) ~is_wanted:(fun () -> Call.is_open call) ~record)

let hand_out (t : Leader.t) scope f all number call rank items =
  if rank = 0 then compute_here scope f all call items
  else Leader.order t ~dest:rank (Parcel.pack (Work.Piece (number, Work.pack_piece all items)))

let create_call (t : Leader.t) scope ~retries { journal; found } f all =
  let number = Atomic.fetch_and_add t.here.next_call 1 in
  let is_new item = not (Hashtbl.mem found item) in
  let order = List.filter is_new (List.init (Array.length all) Fun.id) in
  let rec call =
    lazy
      {
        Call.number;
        here = t.here;
        shares = shares t;
        retries;
        lock = Mutex.create ();
        pieces = Pieces.create (Array.of_list order);
        owners = Hashtbl.create 64;
        out = Array.map (fun _ -> []) t.domains;
        failures = Hashtbl.create 1;
        keep = (fun item bytes -> Option.iter (fun j -> Journal.add j item bytes) journal);
        arrivals = Drover.Chan.unbounded ();
        hand_out = hand_out t scope f all number call;
        is_open = true;
      }
  in
  Lazy.force call

let open_call (t : Leader.t) (call : Call.t) f =
  let prepare bytes = Work.open_piece f bytes in
  (match Parcel.pack_result (Work.Open (call.number, prepare)) with
  | Error why -> invalid_arg ("Drover_mpi: the function cannot be sent to another rank: " ^ why)
  | Ok bytes ->
      List.iter
        (fun dest -> if Leader.is_there t dest then Leader.order t ~dest bytes)
        (Leader.others t));
  Leader.add t t.calls call.number call;
  Call.begin_ call

let close_call (t : Leader.t) (call : Call.t) =
  Call.close call;
  Leader.remove t t.calls call.number;
  Leader.order_all t (Close call.number)

(* Calls [each] with as many arrivals as there are items to come. *)
let rec take_arrivals (call : Call.t) missing ~on_error each =
  if missing > 0 then begin
    (match Drover.Chan.recv call.arrivals with
    | Result (item, bytes) -> each item (Parcel.unpack bytes)
    | Failed failure -> each (Option.get failure.item) (on_error failure)
    | Broken (exn, backtrace) -> Printexc.raise_with_backtrace exn backtrace);
    take_arrivals call (missing - 1) ~on_error each
  end

let with_call t ~retries results f all use =
  Drover.Scope.run @@ fun scope ->
  let call = create_call t scope ~retries results f all in
  Fun.protect
    ~finally:(fun () -> close_call t call)
    (fun () ->
      open_call t call f;
      use call)

let fails failure = raise (Failure.Failed failure)

let stream caller ?(retries = 0) ?(on_error = fails) ?journal f all each =
  let t = Leader.get caller in
  if retries < 0 then invalid_arg ("Drover_mpi." ^ caller ^ ": retries < 0");
  let results = open_journal journal f all in
  Fun.protect
    ~finally:(fun () -> Option.iter Journal.close results.journal)
    (fun () ->
      Hashtbl.iter (fun item bytes -> each item (Parcel.unpack bytes)) results.found;
      let missing = Array.length all - Hashtbl.length results.found in
      if missing > 0 then
        with_call t ~retries results f all (fun call -> take_arrivals call missing ~on_error each))

let map_for caller ?retries ?on_error ?journal f all =
  let results = Array.make (Array.length all) None in
  stream caller ?retries ?on_error ?journal f all (fun item v -> results.(item) <- Some v);
  Array.map Option.get results

let map ?retries = map_for "map" ?retries

let iter ?retries ?on_error ?journal f all =
  stream "iter" ?retries ?on_error ?journal f all (fun _ () -> ())

(* Reductions: blocks of items, which depend on nothing but their number, go to ranks as items do. *)

let most_blocks = 1024

exception In_block of int * exn

(* An error names the item in the block. *)
let reduce_block ~combine f (first, xs) =
  let get i =
    try f xs.(i)
    with exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Printexc.raise_with_backtrace (In_block (first + i, exn)) backtrace
  in
  let n = Array.length xs in
  Drover.parallel_reduce ~start:1 ~finish:(n - 1) ~init:(get 0) ~combine get

let blocks all =
  let n = Array.length all in
  let length = Int.max 1 ((n + most_blocks - 1) / most_blocks) in
  Array.init
    ((n + length - 1) / length)
    (fun b -> (b * length, Array.sub all (b * length) (Int.min length (n - (b * length)))))

let reduce ?retries ?journal ~init ~combine f all =
  let parts = map_for "reduce" ?retries ?journal (reduce_block ~combine f) (blocks all) in
  Array.fold_left combine init parts

let () =
  Printexc.register_printer (function
    | In_block (item, exn) -> Some (Printf.sprintf "item %d: %s" item (Printexc.to_string exn))
    | _ -> None)
