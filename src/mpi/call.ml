(* Call: a map, as the leader sees it.

   Each rank has up to [Pieces.ahead] pieces, and gets the next when all items of one have ended. What
   comes from other ranks is served where it arrives, under [lock], and the results go to [arrivals],
   from where the caller of the map takes them.

   An item:  Waiting --take--> Out --Done--> Done
               ^                +--Raised, or its rank ended--> Waiting again, [retries] times;
               |                |                                then its failure arrives
               +-- its rank ended before it came to its piece --+ *)

open Work

type piece = { items : int array; mutable left : int }

type arrival =
  | Result of int * Bytes.t
  | Failed of Failure.t
  | Broken of exn * Printexc.raw_backtrace

type t = {
  number : int;
  here : Here.t;
  shares : float array; (* by rank; 0 if it gets nothing *)
  retries : int;
  lock : Mutex.t;
  pieces : Pieces.t;
  owners : (int, int * piece) Hashtbl.t; (* of the items that are out: rank and piece *)
  out : piece list array; (* by rank, in the order in which they are computed *)
  failures : (int, int) Hashtbl.t; (* how many an item has had *)
  keep : int -> Bytes.t -> unit; (* a result, before it arrives *)
  arrivals : arrival Drover.Chan.t;
  hand_out : int -> int array -> unit; (* to a rank: never waits *)
  mutable is_open : bool;
}

let arrive t arrival = ignore (Drover.Chan.try_send t.arrivals arrival : bool)

(* Gives a rank the next piece, if it may have one. With [lock]. *)
let supply t rank =
  if
    t.is_open
    && t.shares.(rank) > 0.
    && List.length t.out.(rank) < Pieces.ahead t.pieces ~ranks:(Array.length t.out)
    && Pieces.left t.pieces > 0
  then begin
    let items = Pieces.take t.pieces ~share:t.shares.(rank) in
    let piece = { items; left = Array.length items } in
    t.out.(rank) <- t.out.(rank) @ [ piece ];
    Array.iter (fun item -> Hashtbl.replace t.owners item (rank, piece)) items;
    t.hand_out rank items
  end

(* Each rank has a piece before one has its second. *)
let supply_all t =
  for _ = 1 to Pieces.most_ahead do
    Array.iteri (fun rank _ -> supply t rank) t.out
  done

let fail t item (failure : Failure.t) =
  let failures = 1 + Option.value (Hashtbl.find_opt t.failures item) ~default:0 in
  Hashtbl.replace t.failures item failures;
  if failures > t.retries then arrive t (Failed { failure with item = Some item })
  else Pieces.give_back t.pieces [ item ]

let end_item t rank item outcome =
  match Hashtbl.find_opt t.owners item with
  | Some (owner, piece) when owner = rank ->
      Hashtbl.remove t.owners item;
      piece.left <- piece.left - 1;
      if piece.left = 0 then t.out.(rank) <- List.filter (( != ) piece) t.out.(rank);
      begin match outcome with
      | Done bytes ->
          t.keep item bytes;
          arrive t (Result (item, bytes))
      | Raised failure -> fail t item failure
      end
  | Some _ | None -> ()

(* Whatever cannot go on ends the map. *)
let guarded t f =
  Mutex.protect t.lock @@ fun () ->
  if t.is_open then (
    try f ()
    with exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      t.is_open <- false;
      arrive t (Broken (exn, backtrace)))

let end_items t rank results =
  guarded t (fun () ->
      List.iter (fun (item, outcome) -> end_item t rank item outcome) results;
      if Pieces.has_back t.pieces then supply_all t
      else
        for _ = 1 to Pieces.most_ahead do
          supply t rank
        done)

let is_out t item = Hashtbl.mem t.owners item

(* The first of its pieces was being computed; the others go back as they are. *)
let lose t rank reason =
  guarded t (fun () ->
      let give_up ~is_first piece =
        let items = List.filter (is_out t) (Array.to_list piece.items) in
        List.iter (Hashtbl.remove t.owners) items;
        let failure item =
          {
            Failure.item = Some item;
            rank;
            message = "the rank has ended: " ^ reason;
            backtrace = "";
          }
        in
        if is_first then List.iter (fun item -> fail t item (failure item)) items
        else Pieces.give_back t.pieces items
      in
      let out = t.out.(rank) in
      t.out.(rank) <- [];
      t.shares.(rank) <- 0.;
      List.iteri (fun i piece -> give_up ~is_first:(i = 0) piece) out;
      supply_all t)

let begin_ t = guarded t (fun () -> supply_all t)
let close t = Mutex.protect t.lock (fun () -> t.is_open <- false)
let is_open t = t.is_open
