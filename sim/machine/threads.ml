(* Threads and domains.

   Of the threads of a domain one at a time runs OCaml code, the [holder] of its lock. Who waits for the lock for
   longer than a tick asks the holder, which gives it at its next safepoint. *)

open World

let tick = 50_000_000

(* Who comes back to the lock while the backup thread takes part in a collection waits for the end of that. *)
let rec acquire t =
  let d = t.domain in
  match (d.holder, !w.collection) with
  | None, Some c when not d.is_called ->
      Collector.spin c t;
      acquire t
  | None, (Some _ | None) ->
      d.holder <- Some t;
      d.held_since <- t.time;
      d.is_asked <- false
  | Some _, _ ->
      Queue.add t d.lock_queue;
      let ask at =
        d.is_asked <- true;
        Option.iter (Scheduler.cut ~at) d.holder
      in
      let alarm = Turns.at (Int.max t.time (d.held_since + tick)) ask in
      ignore (Scheduler.park ~until:never : bool);
      Turns.cancel alarm;
      acquire t

let release t =
  let d = t.domain in
  d.holder <- None;
  match Queue.take_opt d.lock_queue with
  | Some next -> Scheduler.wake next
  | None -> if d.is_called then Option.iter Scheduler.wake d.backup

(* Safepoints *)

let rec call_due (d : domain) =
  match d.due with
  | [] -> ()
  | call :: rest ->
      d.due <- rest;
      call ();
      call_due d

let[@inline] is_full (d : domain) = d.young > d.minor_heap

let[@inline never] serve t =
  let d = t.domain in
  Collector.meet ();
  if is_full d then Collector.collect ();
  if d.is_asked then begin
    release t;
    Turns.yield ();
    acquire t
  end;
  call_due d

let[@inline] poll () =
  let t = me () in
  let d = t.domain in
  if (d.is_called || is_full d || d.is_asked || d.due != []) && t.masked = 0 then serve t

(* [blocking f] calls [f], which may block, without the lock. *)
let blocking f =
  poll ();
  let t = me () in
  release t;
  let v = f () in
  acquire t;
  poll ();
  v

let park ~until = blocking (fun () -> Scheduler.park ~until)

let yield () =
  Turns.sync ();
  if not (Queue.is_empty (me ()).domain.lock_queue) then blocking Turns.yield

(* Their beginning and end *)

let finish t =
  if t.domain.holder == Some t then release t;
  Scheduler.set_status t Ended;
  List.iter Scheduler.wake t.joiners;
  t.joiners <- [];
  Scheduler.leave_processor t

let live t body =
  match body () with
  | () -> finish t
  | exception exn ->
      !w.failure <- Some (exn, Printexc.get_raw_backtrace ());
      finish t
  | effect Turns.Turn, k -> t.resume <- (fun () -> Effect.Deep.continue k ())

let create ~name domain body =
  let w = !w in
  let t = create_thread ~number:w.numbers ~name ~time:w.me.time domain in
  w.numbers <- w.numbers + 1;
  w.threads <- t :: w.threads;
  t.resume <- (fun () -> live t body);
  t.processor <- Scheduler.least_loaded ~near:w.me.processor;
  t

let start t = ignore (Scheduler.ready t ~at:(me ()).time : int)

(* A thread of a domain *)
let create_in domain ~name body =
  create ~name domain (fun () ->
      acquire (me ());
      body ();
      release (me ()))

let lowest_index () =
  let is_used i = List.exists (fun (d : domain) -> d.index = i) !w.domains in
  let rec from i = if is_used i then from (i + 1) else i in
  from 0

let leave (d : domain) =
  List.iter (fun f -> f ()) d.at_exit;
  Turns.sync ();
  Collector.meet ();
  !w.domains <- List.filter (( != ) d) !w.domains;
  !w.words_before <- !w.words_before +. d.allocated;
  Option.iter Scheduler.wake d.backup

(* A domain with its backup thread, and the first thread of its own, which does [body]. *)
let create_domain ~name body =
  let w = !w in
  let d = World.create_domain ~index:(lowest_index ()) ~unique:w.uniques in
  (* As in a program that has run for long. *)
  d.young <- Random.State.int w.random d.minor_heap;
  w.uniques <- w.uniques + 1;
  w.domains <- w.domains @ [ d ];
  let t = create_in d ~name (fun () -> Fun.protect ~finally:(fun () -> leave d) body) in
  let backup = create ~name:(name ^ ", backup") no_domain (fun () -> Collector.back_up d) in
  backup.processor <- t.processor;
  d.backup <- Some backup;
  start backup;
  start t;
  t

let join t =
  if t.status <> Ended then
    blocking (fun () ->
        while t.status <> Ended do
          t.joiners <- me () :: t.joiners;
          ignore (Scheduler.park ~until:never : bool)
        done)
