(* When the exception of a signal's handler left Lwt's loop, computations were lost. *)

open Lwt.Syntax

exception Signal

let armed = Atomic.make false
let handler _ = if Atomic.get armed then raise Signal

let sender () =
  Printf.sprintf "for i in $(seq 2000); do kill -USR1 %d || exit; sleep 0.005; done"
    (Unix.getpid ())

let rec until_settled promises =
  if List.exists Lwt.is_sleeping promises then
    let* () = Lwt_unix.sleep 0.002 in
    until_settled promises
  else Lwt.return_unit

(* Runs the loop again as often as the exception leaves it, but not for more than five seconds. *)
let settle promises =
  let until = Case.now () +. 5. in
  let rec go () =
    match
      Atomic.set armed true;
      Lwt_main.run (Lwt.pick [ until_settled promises; Lwt_unix.sleep 5. ]);
      Atomic.set armed false
    with
    | () -> ()
    | exception Signal ->
        Atomic.set armed false;
        if Case.now () < until then go ()
  in
  go ()

let job i () = if i mod 4 = 0 then Drover_lwt.run_in_main (fun () -> Lwt.return i) else i

let is_lost i promise =
  match Lwt.state promise with Return j -> i <> j | Fail Signal -> false | Fail _ | Sleep -> true

let lost () =
  let promises = List.init 200 (fun i -> Drover_lwt.detach (job i)) in
  settle promises;
  List.length (List.filter Fun.id (List.mapi is_lost promises))

let () =
  Case.main ~seconds:60. @@ fun () ->
  Sys.set_signal Sys.sigusr1 (Signal_handle handler);
  (Lwt.async_exception_hook := function Signal -> () | e -> raise e);
  let signals = Case.start [ "sh"; "-c"; sender () ] in
  let until = Case.now () +. 8. in
  let rec rounds n = if n = 0 && Case.now () < until then rounds (lost ()) else n in
  let n = rounds 0 in
  ignore (Case.ending ~seconds:0. signals : Case.ending);
  Case.expect (n = 0)
    "of 200 computations at a time %d are lost where a handler's exception leaves the loop" n
