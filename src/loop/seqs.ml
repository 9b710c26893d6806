(* Seqs: lazy sequences, mapped ahead of their consumer.

   The consumer alone forces the source and starts tasks; at most [ahead] of them have started
   and are not consumed.

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

let ahead_of caller = function
  | Some ahead when ahead < 1 -> invalid_arg ("Drover.Seq." ^ caller ^ ": ahead < 1")
  | Some ahead -> ahead
  | None -> 4 * Int.max !Hooks.installed.least_workers (Pool.size (Pool.ambient ()))

(* [start x] starts a task for the next element of the source; [take ()] waits for a result. *)
let consume ahead s ~start ~take =
  let source = ref (Rest s) and pending = ref 0 in
  let rec refill ahead =
    if !pending < ahead then
      match pull source with
      | None -> ()
      | Some x ->
          start x;
          incr pending;
          refill ahead
  in
  let next () =
    refill ahead;
    match !source with
    | _ when !pending > 0 ->
        decr pending;
        Some (Failure.get (take ()), ())
    | Failed failure -> Failure.raise failure
    | Rest _ | Ended -> None
  in
  Seq.once (Seq.unfold next ())

let map ?ahead f s =
  let ahead = ahead_of "map" ahead in
  let promises = Queue.create () in
  let start x = Queue.add (Pool.async (fun () -> Failure.catch (fun () -> f x))) promises in
  consume ahead s ~start ~take:(fun () -> Promise.await (Queue.take promises))

(* The k-th task that ends settles the k-th promise. These are in a list, which grows by one before a
   task starts: so a task that ends finds one that nobody has. *)
type 'a seat = { promise : 'a Promise.t; next : 'a seat option Atomic.t }

let rec take_seat latest =
  let seat = Atomic.get latest in
  match Atomic.get seat.next with
  | Some next -> if Atomic.compare_and_set latest seat next then next else take_seat latest
  | None -> assert false (* more have started than have ended *)

let map_unordered ?ahead f s =
  let ahead = ahead_of "map_unordered" ahead in
  (* The pool's own, so that a consumer outside a task lends its domain while it waits. *)
  let seat () = { promise = Promise.make (Pool.ambient ()); next = Atomic.make None } in
  let front = seat () in
  let newest = ref front and ended = Atomic.make front and taken = ref front in
  let start x =
    let next = seat () in
    Atomic.set !newest.next (Some next);
    newest := next;
    let run () =
      let outcome = Failure.catch (fun () -> f x) in
      Promise.fulfil (take_seat ended).promise outcome
    in
    ignore (Pool.async run : unit Promise.t)
  in
  let take () =
    taken := Option.get (Atomic.get !taken.next);
    Promise.await !taken.promise
  in
  consume ahead s ~start ~take

let iter ?ahead f s = Seq.iter ignore (map_unordered ?ahead f s)
