(* Executor_pool: Eio's interface, with a pool of Drover's.

   The weights of the jobs that run are counted for the whole pool, rather than for each domain: a job
   starts while those that run weigh less than one for each domain. *)

type job = Job : 'a Call.t -> job [@@unboxed]
type t = { pool : Drover.Pool.t; line : job Line.t; idle : unit Eio.Promise.t; tell : unit -> unit }

let unit_weight = 1_000_000
let ended = Invalid_argument "Drover_eio.Executor_pool: the pool's switch has ended"

(* The end of the switch *)

let close_pool pool =
  Eio_unix.run_in_systhread ~label:"Drover.Pool.close" (fun () -> Drover.Pool.close pool)

let close t exn =
  List.iter (fun (Job c) -> Call.stop c exn) (Line.close t.line exn);
  if not (Line.is_idle t.line) then Eio.Promise.await t.idle;
  close_pool t.pool

let serve t () =
  (try Eio.Fiber.await_cancel () with exn -> Eio.Cancel.protect (fun () -> close t exn));
  `Stop_daemon

let create ~sw ~domain_count (_ : _ Eio.Domain_manager.t) =
  if domain_count < 1 then invalid_arg "Drover_eio.Executor_pool.create: domain_count < 1";
  Eio.Switch.check sw;
  Fibers.adapt_minor_heap ();
  let pool = Drover.Pool.create ~name:"executors" ~domains:domain_count () in
  Drover.Pool.staff pool;
  let start (Job c) = Call.submit c pool and refuse exn (Job c) = Call.stop c exn in
  let line = Line.create (domain_count * unit_weight) ~start ~refuse in
  let idle, resolver = Eio.Promise.create () in
  let tell () =
    if Option.is_some (Line.closed line) && Line.is_idle line then
      ignore (Eio.Promise.try_resolve resolver ())
  in
  let t = { pool; line; idle; tell } in
  Eio.Fiber.fork_daemon ~sw (serve t);
  t

(* Jobs *)

let weigh weight =
  if not (weight >= 0. && weight <= 1.) (* also for no number *) then
    invalid_arg (Printf.sprintf "Drover_eio.Executor_pool: weight %g not >= 0.0 && <= 1.0" weight);
  Float.to_int (weight *. float unit_weight)

let call t ~weight f =
  let weight = weigh weight in
  if Option.is_some (Line.closed t.line) then raise ended;
  let id = Line.next_id t.line in
  let on_end () =
    Line.leave t.line id;
    t.tell ()
  in
  let c = Call.create f ~leaves:true ~on_end in
  Call.await c ~begin_:(fun () -> Line.enter t.line ~id ~weight (Job c));
  match (Call.result c, Line.closed t.line) with
  | Error (Drover.Cancelled _, backtrace), Some exn -> Error (exn, backtrace)
  | result, _ -> result

let submit t ~weight f = Result.map_error fst (call t ~weight f)

let submit_exn t ~weight f =
  match call t ~weight f with
  | Ok v -> v
  | Error (exn, backtrace) -> Printexc.raise_with_backtrace exn backtrace

let submit_fork ~sw t ~weight f = Eio.Fiber.fork_promise ~sw (fun () -> submit_exn t ~weight f)
