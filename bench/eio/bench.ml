(* What it costs an Eio program to compute on other domains, and how its loop fares meanwhile. The
   environment variable EIO_BACKEND chooses Eio's backend. *)

open Cmdliner
open Drover_beside.Beside

let rec parallel_fib n =
  if n < 20 then fib n
  else
    let a, b = Drover.both (fun () -> parallel_fib (n - 1)) (fun () -> parallel_fib (n - 2)) in
    a + b

(* 20,000 small computations, of which [width] are in flight at a time, again and again. *)
let rate ({ run } : Runners.run) { width; n; seconds; _ } =
  let jobs = List.init 20_000 ignore in
  let turn () = Eio.Fiber.List.iter ~max_fibers:width (fun () -> run (compute n)) jobs in
  let rec turns count until =
    if now () > until then count
    else begin
      turn ();
      turns (count + 1) until
    end
  in
  ignore (turns 0 (now () +. 0.3) : int);
  let start = now () in
  let count = turns 0 (start +. seconds) in
  float (count * List.length jobs) /. (now () -. start)

(* Seconds for one large computation, the best of several. *)
let heavy (runner : Runners.t) ({ run } : Runners.run) { n; seconds; _ } =
  let fib = if runner.nests then parallel_fib else fib in
  let once () =
    let start = now () in
    run (compute ~fib n);
    now () -. start
  in
  let rec best found until =
    let found = Float.min found (once ()) in
    if now () > until then found else best found until
  in
  ignore (once () : float);
  best infinity (now () +. seconds)

(* How late a timer of one millisecond comes while [width] computations are in flight. *)
let gaps ({ run } : Runners.run) { width; n; seconds; _ } =
  let warm = now () +. 0.3 in
  let until = warm +. seconds in
  let keep_busy () =
    while now () < until do
      run (compute n)
    done
  in
  let late = ref [] in
  let tick () =
    while now () < until do
      let start = now () in
      Eio_unix.sleep 0.001;
      if start > warm then late := (now () -. start -. 0.001) :: !late
    done
  in
  Eio.Fiber.all (tick :: List.init width (fun _ -> keep_busy));
  !late

(* How long a small computation takes, one every two milliseconds, while [width] large ones are in
   flight, each followed by the next. *)
let small (runner : Runners.t) ({ run } : Runners.run) { width; n; seconds; _ } =
  let fib = if runner.nests then parallel_fib else fib in
  let warm = now () +. 0.3 in
  let until = warm +. seconds in
  let keep_busy () =
    while now () < until do
      run (compute ~fib n)
    done
  in
  let took = ref [] in
  let stream () =
    Eio.Switch.run @@ fun sw ->
    while now () < until do
      let start = now () in
      Eio.Fiber.fork ~sw (fun () ->
          run (compute 10);
          if start > warm then took := (now () -. start) :: !took);
      Eio_unix.sleep 0.002
    done
  in
  Eio.Fiber.all (stream :: List.init width (fun _ -> keep_busy));
  !took

(* In Eio's loop, with [run]. *)
let measure report f (runner : Runners.t) setting =
  Eio_main.run (fun env ->
      Eio.Switch.run (fun sw ->
          let run = runner.start ~sw env ~domains:setting.domains in
          report runner.name setting (f runner run setting)))

let command title ~doc ~domains ~width ~n measure =
  command title ~doc
    { domains; width; n; seconds = 2. }
    ~runners:Runners.all
    ~name:(fun (r : Runners.t) -> r.name)
    measure

let () =
  exit
    (Cmd.eval
       (Cmd.group
          (Cmd.info "bench" ~doc:"Drover_eio beside Eio's Executor_pool")
          [
            command "rate" ~domains:1 ~width:1000 ~n:10
              ~doc:"how many small computations are done in a second"
              (measure report_rate (fun _ -> rate));
            command "heavy" ~domains:2 ~width:1 ~n:38
              ~doc:"how long one large computation takes, which is parallel where it may be"
              (measure report_seconds heavy);
            command "gaps" ~domains:2 ~width:4 ~n:32 ~doc:"how late the loop's timers come"
              (measure report_lateness (fun _ -> gaps));
            command "fairness" ~domains:2 ~width:1 ~n:38
              ~doc:
                "how late the results of small computations come, one every 2 ms, beside large \
                 ones, which are parallel where they may be"
              (measure report_lateness small);
          ]))
