(* The program tells the watchdog through a pipe what it begins and what it ends; the end of the
   pipe ends the watchdog.

   Watching [] --Begin g--> Watching [g; ...] --End--> Watching [...]
   Watching gs, where the time of one is up --> the program is aborted *)

type guard = { what : string; deadline : float }
type message = Begin of guard | End

(* In seconds, whatever becomes of the computer's date; one clock for all processes. *)
let now () = Int64.to_float Runtime_events.Timestamp.(to_int64 (get_current ())) *. 1e-9

let really_read fd n =
  let bytes = Bytes.create n in
  let rec fill from =
    if from < n then
      match Unix.read fd bytes from (n - from) with 0 -> raise End_of_file | k -> fill (from + k)
  in
  fill 0;
  bytes

let receive fd : message =
  let header = really_read fd Marshal.header_size in
  let data = really_read fd (Marshal.data_size header 0) in
  Marshal.from_bytes (Bytes.cat header data) 0

let abort program guards =
  let lines = List.map (fun g -> "watchdog: no end of: " ^ g.what ^ "\n") guards in
  prerr_string ("\n" ^ String.concat "" lines);
  flush stderr;
  Unix.kill program Sys.sigabrt

let rec watch program messages guards =
  let patience =
    match guards with
    | [] -> -1.0 (* for ever *)
    | _ :: _ ->
        let first = List.fold_left (fun t g -> Float.min t g.deadline) infinity guards in
        Float.max 0.0 (first -. now ())
  in
  match Unix.select [ messages ] [] [] patience with
  | [], _, _ -> abort program guards
  | _ -> (
      match receive messages with
      | Begin g -> watch program messages (g :: guards)
      | End -> watch program messages (List.tl guards)
      | exception End_of_file -> ())

let report =
  let program = Unix.getpid () in
  let messages, report = Unix.pipe ~cloexec:true () in
  match Unix.fork () with
  | 0 ->
      Unix.close report;
      watch program messages [];
      Unix._exit 0
  | _ ->
      Unix.close messages;
      Unix.out_channel_of_descr report

let tell (message : message) =
  Marshal.to_channel report message [];
  flush report

let guard ?(seconds = 300.0) what f =
  tell (Begin { what; deadline = now () +. seconds });
  Fun.protect f ~finally:(fun () -> tell End)

let case ?seconds name f = Alcotest.test_case name `Quick (fun () -> guard ?seconds name f)

let property ?seconds ?count ~name ~print gen law =
  QCheck2.Test.make ?count ~name ~print gen (fun x ->
      guard ?seconds (name ^ ": " ^ print x) (fun () -> law x))
