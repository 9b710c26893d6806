(* What it costs an Lwt program to compute on other domains, and how its loop fares meanwhile.

   Each measurement of each runner is a process of its own: pools, threads and minor heaps of one
   are not there for the other. *)

open Cmdliner

let now () = Mtime.Span.to_float_ns (Mtime_clock.elapsed ()) *. 1e-9
let rec fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)
let compute n () = ignore (Sys.opaque_identity (fib n) : int)

(* Turns of [width] tasks in flight. *)
let rate (runner : Runners.t) ~domains ~width ~n ~seconds =
  let open Lwt.Syntax in
  let detach () = runner.detach ~domains (compute n) in
  let turn () = Lwt.join (List.init width (fun _ -> detach ())) in
  let rec turns count until =
    if now () > until then Lwt.return count
    else
      let* () = turn () in
      turns (count + 1) until
  in
  let* _warm_up = turns 0 (now () +. 0.2) in
  let start = now () in
  let+ count = turns 0 (start +. seconds) in
  float (count * width) /. (now () -. start)

let percentile sorted p =
  sorted.(Int.min (Array.length sorted - 1) (int_of_float (p *. float (Array.length sorted))))

(* How late a timer of one millisecond comes while [width] computations are in flight. *)
let gaps (runner : Runners.t) ~domains ~width ~n ~seconds =
  let open Lwt.Syntax in
  let warm = now () +. 0.3 in
  let until = warm +. seconds in
  let rec keep_busy () =
    if now () > until then Lwt.return_unit
    else
      let* () = runner.detach ~domains (compute n) in
      keep_busy ()
  in
  let late = ref [] in
  let rec tick () =
    if now () > until then Lwt.return_unit
    else
      let start = now () in
      let* () = Lwt_unix.sleep 0.001 in
      if start > warm then late := (now () -. start -. 0.001) :: !late;
      tick ()
  in
  let+ () = Lwt.join (tick () :: List.init width (fun _ -> keep_busy ())) in
  let sorted = Array.of_list !late in
  Array.sort Float.compare sorted;
  sorted

let measure runner what ~domains ~width ~n ~seconds =
  match what with
  | `Rate ->
      let rate = Lwt_main.run (rate runner ~domains ~width ~n ~seconds) in
      Printf.printf "%-15s %d domains: %9.0f a second\n%!" runner.Runners.name domains rate
  | `Gaps ->
      let sorted = Lwt_main.run (gaps runner ~domains ~width ~n ~seconds) in
      let ms p = percentile sorted p *. 1e3 in
      Printf.printf "%-15s %d domains: late by p50 %.2f, p99 %.2f, at most %.2f ms (%d ticks)\n%!"
        runner.Runners.name domains (ms 0.5) (ms 0.99) (ms 1.0) (Array.length sorted)

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

let command name ~doc what ~width ~n =
  let open Term.Syntax in
  let number name default doc = Arg.(value & opt int default & info [ name ] ~doc) in
  Cmd.v (Cmd.info name ~doc)
    (let+ domains = number "domains" 2 "Domains, or threads, that compute."
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
          (Cmd.info "bench" ~doc:"Drover_lwt beside others")
          [
            command "rate" `Rate ~width:20_000 ~n:10
              ~doc:"how many small computations are done in a second";
            command "gaps" `Gaps ~width:4 ~n:32 ~doc:"how late the loop's timers come";
          ]))
