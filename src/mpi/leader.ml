(* Leader: rank 0, where the program goes on while the other ranks serve it. *)

type t = {
  here : Here.t;
  domains : int array; (* by rank; 0 once it has ended *)
  lock : Mutex.t; (* of what follows *)
  calls : (int, Call.t) Hashtbl.t;
  returns : (int, source:int -> Bytes.t -> unit) Hashtbl.t; (* calls of [everywhere] *)
  byes : int Atomic.t option Atomic.t; (* how many are missing, at the end *)
}

let now : t option Atomic.t = Atomic.make None
let wait () = Here.filled now

let get caller =
  ignore (Here.get caller : Here.t);
  if Drover.Local.get Here.part = Item then
    invalid_arg ("Drover_mpi." ^ caller ^ ": inside of an item");
  match Atomic.get now with
  | Some t -> t
  | None -> invalid_arg ("Drover_mpi." ^ caller ^ ": only rank 0 may call it")

let find t table number = Mutex.protect t.lock (fun () -> Hashtbl.find_opt table number)
let add t table number v = Mutex.protect t.lock (fun () -> Hashtbl.replace table number v)
let remove t table number = Mutex.protect t.lock (fun () -> Hashtbl.remove table number)
let others t = List.init (Array.length t.domains - 1) (fun i -> i + 1)
let is_there t rank = t.domains.(rank) > 0
let order t ~dest bytes = Here.post t.here ~dest ~tag:Transport.service bytes

let order_all t (order_ : Work.order) =
  let bytes = Parcel.pack order_ in
  List.iter (fun dest -> if is_there t dest then order t ~dest bytes) (others t)

(* What comes from other ranks *)

let take_bye t =
  Option.iter (fun missing -> ignore (Atomic.fetch_and_add missing (-1) : int)) (Atomic.get t.byes)

let serve ~source bytes =
  let t = wait () in
  match (Parcel.unpack bytes : Work.report) with
  | Results (number, results) ->
      Option.iter (fun call -> Call.end_items call source results) (find t t.calls number)
  | Returned (number, bytes) ->
      Option.iter (fun return -> return ~source bytes) (find t t.returns number)
  | Bye -> take_bye t

let end_all (failure : Failure.t) =
  Failure.print failure;
  (Here.wait ()).transport.abort 2

(* Others may wait for it in what runs everywhere. *)
let lose rank reason =
  let t = wait () in
  t.domains.(rank) <- 0;
  let calls, is_everywhere =
    Mutex.protect t.lock (fun () ->
        (Hashtbl.fold (fun _ call all -> call :: all) t.calls [], Hashtbl.length t.returns > 0))
  in
  if is_everywhere then end_all { item = None; rank; message = reason; backtrace = "" }
  else List.iter (fun call -> Call.lose call rank reason) calls

(* Everywhere *)

let all_returned ~size =
  let values = Array.make size None and missing = Atomic.make size in
  let promise, resolver = Drover.Promise.create () in
  let return ~source bytes =
    values.(source) <- Some bytes;
    if Atomic.fetch_and_add missing (-1) = 1 then Drover.Promise.fulfil resolver ()
  in
  let await () =
    Drover.await promise;
    Array.map (fun v -> Parcel.unpack (Option.get v)) values
  in
  (return, await)

let first_ended t = List.find_opt (fun rank -> not (is_there t rank)) (others t)

let everywhere f =
  let t = get "everywhere" in
  let ended rank = raise (Failure.Rank_ended { rank; reason = "it ended before" }) in
  Option.iter ended (first_ended t);
  let number = Atomic.fetch_and_add t.here.next_call 1 in
  let return, await = all_returned ~size:(Array.length t.domains) in
  let body () = Drover.Local.with_value Here.part Here.Everywhere (fun () -> Parcel.pack (f ())) in
  add t t.returns number return;
  order_all t (Everywhere (number, body));
  (match body () with
  | bytes -> return ~source:0 bytes
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      end_all (Failure.of_exn ~rank:0 exn backtrace));
  let values = await () in
  remove t t.returns number;
  values

(* The end *)

let patience = 2. (* seconds, for what other ranks compute *)

(* Whether all others are at their ends. The program may be at its own, so no task waits for them. *)
let dismiss t =
  let missing = Atomic.make (List.length (List.filter (is_there t) (others t))) in
  Atomic.set t.byes (Some missing);
  order_all t End;
  let deadline = Unix.gettimeofday () +. patience in
  let rec wait () =
    Atomic.get missing = 0
    || Unix.gettimeofday () < deadline
       && begin
         t.here.transport.poll ();
         Unix.sleepf 0.0005;
         wait ()
       end
  in
  wait ()
