(* Preemptive: Lwt_preemptive's functions, for which a thread is a computation in flight.

   Computations up to the upper bound are in flight. Where the pool runs fewer at a time, as many
   more as the queue holds are in flight too, and wait in the pool. *)

let bounds = ref (0, 0)
let queued = ref 1000
let initialized = ref false
let limit = Detached.limit 0

let in_flight_at_most () =
  let _, most = !bounds in
  let workers = Drover.Pool.size (Drover.Pool.default ()) in
  if most < workers then most else most + !queued

let get_bounds () = !bounds

let set_bounds (least, most) =
  if least < 0 || most < least then
    invalid_arg "Drover_lwt.Preemptive.set_bounds: not 0 <= min <= max";
  bounds := (least, most);
  Limit.set limit (in_flight_at_most ())

let get_max_number_of_threads_queued () = !queued

let set_max_number_of_threads_queued n =
  if n < 0 then invalid_arg "Drover_lwt.Preemptive.set_max_number_of_threads_queued: n < 0";
  queued := n;
  if !initialized then Limit.set limit (in_flight_at_most ())

let init least most _log =
  initialized := true;
  set_bounds (least, most)

let simple_init () = if not !initialized then init 0 4 ignore

let detach f x =
  simple_init ();
  Detached.detach_within limit "Drover_lwt.Preemptive.detach" None (fun () -> f x)

let run_in_main f = Main_loop.call "Preemptive.run_in_main" f
let run_in_main_dont_wait = Main_loop.run_in_main_dont_wait
let nbthreadsbusy () = Int.min (snd !bounds) (Limit.in_flight limit)
let nbthreads () = Int.max (fst !bounds) (nbthreadsbusy ())
let nbthreadsqueued () = Limit.in_flight limit - nbthreadsbusy () + Limit.waiting limit
