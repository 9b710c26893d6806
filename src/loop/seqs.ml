(* Seqs: lazy sequences, mapped ahead of their consumer.

   The consumer alone forces the source and starts tasks (see [Bundles]); at most [ahead] elements have been
   taken from it and are not consumed.

   Rest s --the source ends----> Ended
   Rest s --the source raises--> Failed, which is told when all that was before has been consumed *)

type 'a source = Rest of 'a Seq.t | Ended | Failed of Failure.t

let pull source =
  match !source with
  | Ended | Failed _ -> None
  | Rest s -> (
      match Failure.catch s with
      | Ok Seq.Nil ->
          source := Ended;
          None
      | Ok (Seq.Cons (x, rest)) ->
          source := Rest rest;
          Some x
      | Error failure ->
          source := Failed failure;
          None)

(* Without a bound from the user, four elements for each worker, or two bundles where these are longer. *)
type ahead = Elements of int | Workers of int

let ahead_of caller ahead =
  let workers = Int.max !Hooks.installed.least_workers (Pool.size (Pool.ambient ())) in
  match ahead with
  | Some ahead when ahead < 1 -> invalid_arg ("Drover.Seq." ^ caller ^ ": ahead < 1")
  | Some ahead -> (Elements ahead, ahead / (2 * workers))
  | None -> (Workers workers, max_int)

(* [slot team] is for the result of the next element of the source; [take ()] waits for a result, and is it. *)
let consume ahead bundles s ~slot ~take =
  let source = ref (Rest s) and pending = ref 0 in
  let pull () = pull source in
  (* There is room for a whole bundle. *)
  let has_room () =
    let length = Bundles.length bundles in
    let most = match ahead with Elements n -> n | Workers n -> n * Int.max 4 (2 * length) in
    !pending <= most - length
  in
  let rec refill () =
    if has_room () then begin
      let n = Bundles.start_next bundles ~pull ~slot in
      pending := !pending + n;
      if n > 0 then refill ()
    end
  in
  let rec results () =
    refill ();
    match !source with
    | _ when !pending > 0 ->
        decr pending;
        Seq.Cons (take (), results)
    | Failed failure -> Failure.raise failure
    | Rest _ | Ended -> Seq.Nil
  in
  Seq.once results

(* The promises of the results that are still to come, [latest] with the newest first. In lists: the cells of
   a [Queue] point to newer ones, so once the collector has moved one of them, it moves all that follow. *)
type 'a line = { mutable next : 'a Promise.t list; mutable latest : 'a Promise.t list }

let rec take line =
  match line.next with
  | promise :: next ->
      line.next <- next;
      promise
  | [] ->
      line.next <- List.rev line.latest;
      line.latest <- [];
      take line

let map ?ahead f s =
  let ahead, most = ahead_of "map" ahead and line = { next = []; latest = [] } in
  let slot team =
    let promise = Promise.make team in
    line.latest <- promise :: line.latest;
    promise
  and settle promise outcome =
    if not (Promise.is_settled promise) then Promise.fulfil promise outcome
  in
  let take () = Failure.get (Promise.await (take line)) in
  consume ahead (Bundles.create ~most f ~settle) s ~slot ~take

(* Results None --consumer, which finds none--> Awaited --a result--> Results *)
type 'a ready =
  | Results of 'a list
  (* newest first *)
  | Awaited of unit Promise.t

let rec give ready result =
  match Atomic.get ready with
  | Results results as before ->
      if not (Atomic.compare_and_set ready before (Results (result :: results))) then
        give ready result
  | Awaited promise as before ->
      if Atomic.compare_and_set ready before (Results [ result ]) then Promise.fulfil promise ()
      else give ready result

(* All that are there, oldest first; at least one. *)
let rec await_results ready =
  match Atomic.get ready with
  | Awaited promise ->
      Promise.await promise;
      await_results ready
  | Results [] as before ->
      let promise = Promise.make (Pool.ambient ()) in
      ignore (Atomic.compare_and_set ready before (Awaited promise) : bool);
      await_results ready
  | Results _ -> (
      match Atomic.exchange ready (Results []) with
      | Results results -> List.rev results
      | Awaited _ -> assert false (* only the consumer waits *))

let map_unordered ?ahead f s =
  let ahead, most = ahead_of "map_unordered" ahead in
  let ready = Atomic.make (Results []) and results = ref [] in
  let settle is_settled outcome =
    if not !is_settled then begin
      is_settled := true;
      give ready outcome
    end
  in
  let rec take () =
    match !results with
    | [] ->
        results := await_results ready;
        take ()
    | result :: rest ->
        results := rest;
        Failure.get result
  in
  consume ahead (Bundles.create ~most f ~settle) s ~slot:(fun _team -> ref false) ~take

let iter ?ahead f s = Seq.iter ignore (map_unordered ?ahead f s)
