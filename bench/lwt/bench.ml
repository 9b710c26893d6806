(* What it costs an Lwt program to compute on other domains, and how its loop fares meanwhile. *)

open Cmdliner
open Drover_beside.Beside

(* Turns of [width] tasks in flight. *)
let rate (runner : Runners.t) { domains; width; n; seconds } =
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

(* How late a timer of one millisecond comes while [width] computations are in flight. *)
let gaps (runner : Runners.t) { domains; width; n; seconds } =
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
  !late

let measure report f (runner : Runners.t) setting =
  report runner.name setting (Lwt_main.run (f runner setting))

let command title ~doc ~width ~n measure =
  command title ~doc
    { domains = 2; width; n; seconds = 2. }
    ~runners:Runners.all
    ~name:(fun (r : Runners.t) -> r.name)
    measure

let () =
  exit
    (Cmd.eval
       (Cmd.group
          (Cmd.info "bench" ~doc:"Drover_lwt beside others")
          [
            command "rate" ~width:20_000 ~n:10
              ~doc:"how many small computations are done in a second" (measure report_rate rate);
            command "gaps" ~width:4 ~n:32 ~doc:"how late the loop's timers come"
              (measure report_lateness gaps);
          ]))
