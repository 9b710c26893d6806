(* Follower: a rank that does what the leader says, until that says End.

   Orders are served where they arrive, be it in the transport's thread; what they have to be computed
   becomes a task. Results go back when [period] has passed since the last, and at the end of a piece;
   so little is lost with a rank, and short items share messages. *)

open Work

type call = {
  number : int;
  prepare : Bytes.t -> piece;
  is_open : bool Atomic.t;
  lock : Mutex.t;
  mutable results : (int * outcome) list; (* to be sent *)
  mutable sent : float; (* when some were *)
}

type t = {
  calls : (int, call) Hashtbl.t;
  tasks : Drover.Scope.t;
  over : unit Drover.Promise.resolver;
}

exception Over

let period = 0.05 (* seconds *)

let report (r : report) =
  let here = Here.wait () in
  Drover.await (here.transport.send ~dest:0 ~tag:Transport.service (Parcel.pack r))

(* The results that are to be sent now. *)
let take call ~is_last =
  Mutex.protect call.lock @@ fun () ->
  let time = Unix.gettimeofday () in
  if call.results <> [] && (is_last || time -. call.sent > period) then begin
    let results = call.results in
    call.results <- [];
    call.sent <- time;
    results
  end
  else []

let send call ~is_last =
  let results = take call ~is_last in
  if results <> [] then report (Results (call.number, results))

let record call item outcome =
  Mutex.protect call.lock (fun () -> call.results <- (item, outcome) :: call.results);
  send call ~is_last:false

let compute call bytes =
  let is_wanted () = Atomic.get call.is_open in
  if is_wanted () then begin
    Work.compute (call.prepare bytes) ~is_wanted ~record:(record call);
    if is_wanted () then send call ~is_last:true
  end

(* An exception ends all ranks: the others may be waiting for this one. *)
let end_all exn backtrace =
  Failure.print (Failure.of_exn ~rank:(Here.rank ()) exn backtrace);
  (Here.wait ()).transport.abort 2

let everywhere call body =
  match body () with
  | bytes -> report (Returned (call, bytes))
  | exception exn -> end_all exn (Printexc.get_raw_backtrace ())

let open_call t number prepare =
  let call =
    {
      number;
      prepare;
      is_open = Atomic.make true;
      lock = Mutex.create ();
      results = [];
      sent = Unix.gettimeofday ();
    }
  in
  Hashtbl.replace t.calls number call

let serve t order =
  let find number f = Option.iter f (Hashtbl.find_opt t.calls number) in
  match order with
  | Open (number, prepare) -> open_call t number prepare
  | Piece (number, bytes) ->
      find number (fun call -> Drover.Scope.spawn t.tasks (fun () -> compute call bytes))
  | Close number ->
      find number (fun call -> Atomic.set call.is_open false);
      Hashtbl.remove t.calls number
  | Everywhere (number, body) -> Drover.Scope.spawn t.tasks (fun () -> everywhere number body)
  | End ->
      let here = Here.wait () in
      Here.post here ~dest:0 ~tag:Transport.service (Parcel.pack Bye);
      Drover.Promise.fulfil t.over ()

(* Says who it is, and serves. [start] begins to listen, with the function that it is given. *)
let follow ?domains start =
  Drover.run ?domains @@ fun () ->
  Drover.Scope.run @@ fun tasks ->
  let promise, over = Drover.Promise.create () in
  let t = { calls = Hashtbl.create 8; tasks; over } in
  let here : Here.t = start (fun bytes -> serve t (Parcel.unpack bytes)) in
  let domains = Drover.Pool.(Option.fold ~none:1 ~some:size (current ())) in
  let introduction = Printf.sprintf "%s %d" (Lazy.force Parcel.program) domains in
  Here.post here ~dest:0 ~tag:Transport.hello (Bytes.of_string introduction);
  Drover.await promise;
  Drover.Scope.cancel tasks Over
