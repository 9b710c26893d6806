(* Seqs: lazy sequences, mapped ahead of their consumer.

   The consumer alone forces the source and starts tasks (see [Bundles]); at most [ahead] elements have been
   taken from it and are not consumed.

   A source that has ended is empty, as is one that has raised: that is told when all that was before has been
   consumed. *)

type 'a source = { mutable rest : 'a Seq.t; mutable failure : Failure.t option }

let pull source =
  match source.rest () with
  | Seq.Cons (x, rest) ->
      source.rest <- rest;
      Some x
  | Seq.Nil ->
      source.rest <- Seq.empty;
      None
  | exception exn ->
      source.failure <- Some (Failure.caught exn);
      source.rest <- Seq.empty;
      None

(* Without a bound from the user, four elements for each worker at least, or two bundles where these are
   longer. *)
type ahead = Elements of int | Workers of int

let ahead_of caller ahead =
  let workers = Int.max !Hooks.installed.least_workers (Pool.size (Pool.ambient ())) in
  match ahead with
  | Some ahead when ahead < 1 -> invalid_arg ("Drover.Seq." ^ caller ^ ": ahead < 1")
  | Some ahead -> (Elements ahead, ahead / (2 * workers))
  | None -> (Workers workers, max_int)

(* [slot team] is for the result of the next element of the source; [take ()] waits for a result, and is it. *)
let consume ahead bundles s ~slot ~add ~take =
  let source = { rest = s; failure = None } and pending = ref 0 in
  let pull () = pull source in
  (* For a whole bundle. *)
  let has_room () =
    let length = Bundles.length bundles in
    match ahead with
    | Elements n -> !pending <= n - length
    | Workers n -> !pending < 4 * n || !pending <= ((2 * n) - 1) * length
  in
  let rec refill () =
    if has_room () then begin
      let elements = Bundles.start_next bundles ~pull ~slot in
      if Array.length elements > 0 then begin
        pending := !pending + Array.length elements;
        add elements;
        refill ()
      end
    end
  in
  let rec results () =
    refill ();
    if !pending > 0 then begin
      decr pending;
      Seq.Cons (take (), results)
    end
    else Option.fold ~none:Seq.Nil ~some:Failure.raise source.failure
  in
  Seq.once results

(* What has been started and is to come: the rest of [now], from [at] on, and then the bundles in [next] and [latest],
   newest first. Not in a [Queue], whose cells point to newer ones: once the collector has moved one of them, it
   moves all that follow. A bundle of which all have been taken is let go. *)
type 'element line = {
  mutable now : 'element array;
  mutable at : int;
  mutable next : 'element array list;
  mutable latest : 'element array list;
}

let rec take line =
  if line.at < Array.length line.now then begin
    let element = line.now.(line.at) in
    line.at <- line.at + 1;
    if line.at = Array.length line.now then line.now <- [||];
    element
  end
  else begin
    if line.next = [] then begin
      line.next <- List.rev line.latest;
      line.latest <- []
    end;
    line.now <- List.hd line.next;
    line.next <- List.tl line.next;
    line.at <- 0;
    take line
  end

(* Outside a task, in one: that goes on when its worker has come to the end of a bundle. A thread that waits goes on
   with the first element that is there, and where it is the pool's only worker it would change places with
   another thread for each element. *)
let await promise =
  if Promise.is_settled promise then Promise.await promise
  else Pool.inside (fun () -> Promise.await promise)

let fulfil_once promise v = ignore (Promise.try_fulfil promise v : bool)

let map ?ahead f s =
  let ahead, most = ahead_of "map" ahead in
  let line = { now = [||]; at = 0; next = []; latest = [] } in
  let add elements = line.latest <- elements :: line.latest
  and take () = Failure.get (await (Bundles.slot (take line))) in
  consume ahead (Bundles.create ~most f ~settle:fulfil_once) s ~slot:Promise.make ~add ~take

(* Results None --consumer, which finds none--> Awaited --a result--> Results *)
type 'a ready =
  | Results of 'a list
  (* newest first *)
  | Awaited of unit Promise.t

(* One step, which no signal's handler interrupts: so the result is given once, in any case. *)
let[@poll error] put is_given ready before after =
  Atomic.compare_and_set ready before after
  && begin
    is_given := true;
    true
  end

(* No closure is made for it, which would be a safepoint behind that step. *)
let tell promise = fulfil_once promise ()

let rec give is_given ready result =
  match Atomic.get ready with
  | Results results as before ->
      if not (put is_given ready before (Results (result :: results))) then
        give is_given ready result
  | Awaited promise as before ->
      if put is_given ready before (Results [ result ]) then Shared.insist tell promise
      else give is_given ready result

(* All that are there, oldest first; at least one. *)
let rec await_results ready =
  match Atomic.get ready with
  | Awaited promise ->
      await promise;
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
  let settle is_given outcome = if not !is_given then give is_given ready outcome in
  let rec take () =
    match !results with
    | [] ->
        results := await_results ready;
        take ()
    | result :: rest ->
        results := rest;
        Failure.get result
  in
  consume ahead (Bundles.create ~most f ~settle) s ~slot:(fun _team -> ref false) ~add:ignore ~take

let iter ?ahead f s = Seq.iter ignore (map_unordered ?ahead f s)

(* What [open Drover] would hide. *)
include (Seq : Serial.Seq)
