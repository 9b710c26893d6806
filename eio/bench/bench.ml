(* What it costs an Eio program to compute on other domains, and how its loop fares meanwhile.

   Each measurement of each runner is a process of its own: pools and minor heaps of one are not
   there for the other. *)

let now () = Mtime.Span.to_float_ns (Mtime_clock.elapsed ()) *. 1e-9
let rec fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)
let compute n () = ignore (Sys.opaque_identity (fib n) : int)

(* Jobs of [fib n] from [width] fibers at a time. *)
let rate (run : Runners.run) ~jobs ~width ~n ~seconds =
  let list = List.init jobs Fun.id in
  let turn () = Eio.Fiber.List.iter ~max_fibers:width (fun _ -> run.run (compute n)) list in
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
  float (count * jobs) /. (now () -. start)

let () =
  let name = Sys.argv.(1) and domains = int_of_string Sys.argv.(2) in
  let runner = List.find (fun (r : Runners.t) -> r.name = name) Runners.all in
  Eio_main.run (fun env ->
      Eio.Switch.run (fun sw ->
          runner.with_run ~sw env ~domains (fun run ->
              Printf.printf "%s %.0f\n%!" name (rate run ~jobs:20_000 ~width:1000 ~n:10 ~seconds:2.))));
  exit 0
