(* What it costs an Eio program to compute on other domains, and how its loop fares meanwhile.

   Each measurement of each runner is a process of its own: pools and minor heaps of one are not
   there for the other. The environment variable EIO_BACKEND chooses Eio's backend. *)

open Cmdliner

let now () = Mtime.Span.to_float_ns (Mtime_clock.elapsed ()) *. 1e-9
let rec fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)

let rec parallel_fib n =
  if n < 20 then fib n
  else
    let a, b = Drover.both (fun () -> parallel_fib (n - 1)) (fun () -> parallel_fib (n - 2)) in
    a + b

let compute ?(fib = fib) n () = ignore (Sys.opaque_identity (fib n) : int)

(* 20,000 small computations, of which [width] are in flight at a time, again and again. *)
let rate ({ run } : Runners.run) ~width ~n ~seconds =
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
let heavy (runner : Runners.t) ({ run } : Runners.run) ~n ~seconds =
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

let percentile sorted p =
  sorted.(Int.min (Array.length sorted - 1) (int_of_float (p *. float (Array.length sorted))))

(* How late a timer of one millisecond comes while [width] computations are in flight. *)
let gaps ({ run } : Runners.run) ~width ~n ~seconds =
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
  let sorted = Array.of_list !late in
  Array.sort Float.compare sorted;
  sorted

let report (runner : Runners.t) ~domains what =
  Printf.printf "%-14s %d domains: %s\n%!" runner.name domains what

let measure (runner : Runners.t) what ~domains ~width ~n ~seconds =
  Eio_main.run (fun env ->
      Eio.Switch.run (fun sw ->
          let run = runner.start ~sw env ~domains in
          let report = report runner ~domains in
          match what with
          | `Rate -> report (Printf.sprintf "%9.0f a second" (rate run ~width ~n ~seconds))
          | `Heavy -> report (Printf.sprintf "%.3f s" (heavy runner run ~n ~seconds))
          | `Gaps ->
              let sorted = gaps run ~width ~n ~seconds in
              let ms p = percentile sorted p *. 1e3 in
              report
                (Printf.sprintf "late by p50 %.2f, p99 %.2f, at most %.2f ms (%d ticks)" (ms 0.5)
                   (ms 0.99) (ms 1.0) (Array.length sorted))))

let in_a_process f =
  match Unix.fork () with
  | 0 ->
      f ();
      exit 0
  | pid -> ignore (Unix.waitpid [] pid : int * Unix.process_status)

let run what domains width n seconds times names =
  let wanted (r : Runners.t) = names = [] || List.mem r.name names in
  for _ = 1 to times do
    List.iter
      (fun runner -> in_a_process (fun () -> measure runner what ~domains ~width ~n ~seconds))
      (List.filter wanted Runners.all)
  done

let command name ~doc what ~domains ~width ~n =
  let open Term.Syntax in
  let number name default doc = Arg.(value & opt int default & info [ name ] ~doc) in
  Cmd.v (Cmd.info name ~doc)
    (let+ domains = number "domains" domains "Domains that compute."
     and+ width = number "width" width "Computations in flight."
     and+ n = number "fib" n "What a computation computes."
     and+ seconds = Arg.(value & opt float 2. & info [ "seconds" ] ~doc:"For each.")
     and+ times = number "times" 3 "How many times each is measured, by turns."
     and+ names = Arg.(value & pos_all string [] & info [] ~docv:"RUNNER") in
     run what domains width n seconds times names)

let () =
  exit
    (Cmd.eval
       (Cmd.group
          (Cmd.info "bench" ~doc:"Drover_eio beside Eio's Executor_pool")
          [
            command "rate" `Rate ~domains:1 ~width:1000 ~n:10
              ~doc:"how many small computations are done in a second";
            command "heavy" `Heavy ~domains:2 ~width:1 ~n:38
              ~doc:"how long one large computation takes, which is parallel where it may be";
            command "gaps" `Gaps ~domains:2 ~width:4 ~n:32 ~doc:"how late the loop's timers come";
          ]))
