open Cmdliner

let now () = Mtime.Span.to_float_ns (Mtime_clock.elapsed ()) *. 1e-9
let rec fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)
let compute ?(fib = fib) n () = ignore (Sys.opaque_identity (fib n) : int)

type setting = { domains : int; width : int; n : int; seconds : float }

(* Reports *)

let report runner setting what =
  Printf.printf "%-14s %d domains: %s\n%!" runner setting.domains what

let report_rate runner setting rate = report runner setting (Printf.sprintf "%9.0f a second" rate)
let report_seconds runner setting seconds = report runner setting (Printf.sprintf "%.3f s" seconds)

let percentile sorted p =
  sorted.(Int.min (Array.length sorted - 1) (int_of_float (p *. float (Array.length sorted))))

let report_lateness runner setting late =
  let sorted = Array.of_list late in
  Array.sort Float.compare sorted;
  let ms p = percentile sorted p *. 1e3 in
  report runner setting
    (Printf.sprintf "late by p50 %.2f, p99 %.2f, at most %.2f ms" (ms 0.5) (ms 0.99) (ms 1.0))

(* Turns *)

let in_a_process f =
  match Unix.fork () with
  | 0 ->
      f ();
      exit 0
  | pid -> ignore (Unix.waitpid [] pid : int * Unix.process_status)

let by_turns runners ~name measure setting times names =
  let wanted r = names = [] || List.mem (name r) names in
  for _ = 1 to times do
    List.iter
      (fun runner -> in_a_process (fun () -> measure runner setting))
      (List.filter wanted runners)
  done

let command title ~doc defaults ~runners ~name measure =
  let open Term.Syntax in
  let number name default doc = Arg.(value & opt int default & info [ name ] ~doc) in
  Cmd.v (Cmd.info title ~doc)
    (let+ domains = number "domains" defaults.domains "Domains, or threads, that compute."
     and+ width = number "width" defaults.width "Computations in flight."
     and+ n = number "fib" defaults.n "What a computation computes."
     and+ seconds = Arg.(value & opt float defaults.seconds & info [ "seconds" ] ~doc:"For each.")
     and+ times = number "times" 3 "How many times each is measured, by turns."
     and+ names = Arg.(value & pos_all string [] & info [] ~docv:"RUNNER") in
     by_turns runners ~name measure { domains; width; n; seconds } times names)
