type fiber = { mutable cancelled : exn option; mutable on_cancel : exn -> unit }
type resume = (unit, exn) result -> unit
type _ Effect.t += Suspend : (resume -> unit) -> unit Effect.t

type t = {
  mutex : Mutex.t;
  is_ready : Condition.t;
  ready : (unit -> unit) Queue.t;
  mutable alive : int; (* fibers *)
  mutable current : fiber;
}

let fiber () = { cancelled = None; on_cancel = ignore }

(* One for each domain at a time. *)
let here : t option Domain.DLS.key = Domain.DLS.new_key (fun () -> None)
let scheduler () = Option.get (Domain.DLS.get here)

(* From any thread. *)
let enqueue t turn =
  Mutex.protect t.mutex (fun () ->
      Queue.push turn t.ready;
      Condition.signal t.is_ready)

let next t =
  Mutex.protect t.mutex (fun () ->
      while Queue.is_empty t.ready do
        Condition.wait t.is_ready t.mutex
      done;
      Queue.pop t.ready)

let go_on t fiber (k : (unit, unit) Effect.Deep.continuation) result () =
  t.current <- fiber;
  match result with
  | Ok () -> Effect.Deep.continue k ()
  | Error exn -> Effect.Deep.discontinue k exn

let live t fiber f () =
  t.current <- fiber;
  match f () with
  | () -> t.alive <- t.alive - 1
  | effect Suspend register, k -> register (fun result -> enqueue t (go_on t fiber k result))

let fork f =
  let t = scheduler () and fiber = fiber () in
  t.alive <- t.alive + 1;
  enqueue t (live t fiber f);
  fiber

let pass () = Effect.perform (Suspend (fun resume -> resume (Ok ())))

let cancel fiber exn =
  fiber.cancelled <- Some exn;
  fiber.on_cancel exn

type state = Fresh | Awaited of resume | Released

let prepare_for_await t () =
  let state = Atomic.make Fresh in
  let release () =
    match Atomic.exchange state Released with
    | Awaited resume -> resume (Ok ())
    | Fresh | Released -> ()
  in
  let suspend fiber resume =
    let awaited = Awaited resume in
    if Atomic.compare_and_set state Fresh awaited then
      fiber.on_cancel <-
        (fun exn -> if Atomic.compare_and_set state awaited Released then resume (Error exn))
    else resume (Ok ())
  in
  let await () =
    let fiber = t.current in
    if Atomic.get state <> Released then begin
      Option.iter raise fiber.cancelled;
      Effect.perform (Suspend (suspend fiber))
    end
  in
  { Domain_local_await.release; await }

let run f =
  let t =
    {
      mutex = Mutex.create ();
      is_ready = Condition.create ();
      ready = Queue.create ();
      alive = 0;
      current = fiber ();
    }
  in
  let result = ref None in
  let rec turns () =
    if t.alive > 0 then begin
      next t ();
      turns ()
    end
  in
  Domain.DLS.set here (Some t);
  Domain_local_await.using ~prepare_for_await:(prepare_for_await t) ~while_running:(fun () ->
      ignore (fork (fun () -> result := Some (f ())) : fiber);
      turns ());
  Domain.DLS.set here None;
  Option.get !result
