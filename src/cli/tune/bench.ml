(* Bench: runs a program with one setting after another, and notes what was not as it should be. *)

open Drover_show
open Drover_watch

type t = {
  program : Program.t;
  rewind : unit -> unit;
  start : float;
  progress : Progress.t;
  mutable runs : int;
  mutable first : Digest.t option; (* of the output *)
  mutable different : int;
  mutable complaints : string list;
}

(* Each run reads standard input from where it is now, if that is a file. *)
let create program =
  {
    program;
    rewind = Drover_scale.Trial.rewind ();
    start = Unix.gettimeofday ();
    progress = Progress.on_terminal ();
    runs = 0;
    first = None;
    different = 0;
    complaints = [];
  }

(* Another program, between whose runs are those of [b]. *)
let beside b program = { b with program; runs = 0; first = None; different = 0; complaints = [] }
let elapsed b = Unix.gettimeofday () -. b.start
let words b = b.program.path :: b.program.args
let line b setting = Setting.line ~getenv:Sys.getenv_opt setting (words b)

exception Failed of string

(* The program as it is run must end well; a setting with which it does not is out. *)
let trial ?(bindings = []) b setting : Trial.t option =
  Progress.next b.progress;
  Progress.report b.progress (Setting.name setting);
  b.rewind ();
  let trial =
    Trial.run b.program ~bindings:(bindings @ Setting.bindings ~getenv:Sys.getenv_opt setting)
  in
  b.runs <- b.runs + 1;
  if b.first = None then b.first <- Some trial.output;
  match trial.status with
  | WEXITED 0 ->
      if b.first <> Some trial.output then b.different <- b.different + 1;
      Some trial
  | _ when setting = Setting.as_it_is ->
      let why =
        Printf.sprintf "%s: it must end with exit code 0.%s Its last lines:\n%s" (line b setting)
          (Watch.ending trial.status) trial.last_lines
      in
      raise (Failed why)
  | _ ->
      let complaint = Setting.name setting ^ " is out." ^ Watch.ending trial.status in
      b.complaints <- complaint :: b.complaints;
      None

let measure b setting : Search.sample option =
  let sample (t : Trial.t) : Search.sample = { seconds = t.seconds; memory = t.memory } in
  Option.map sample (trial b setting)

let world b : Search.world =
  let phase _ steps = Progress.begins b.progress steps in
  { measure = measure b; elapsed = (fun () -> elapsed b); phase }

let warnings b =
  List.rev b.complaints
  @
  if b.different = 0 then []
  else
    [
      Printf.sprintf
        "The output of %d of %d runs differed from that of the first one. Unless the program \
         prints times or the like, find out why before you compare its speed."
        b.different b.runs;
    ]

(* [f ()]; what ends the command meanwhile ends the program that it runs. *)
let guard b f =
  let break = Sys.Signal_handle (fun _ -> raise Sys.Break) in
  let signals = [ Sys.sigint; Sys.sigterm ] in
  let before = List.map (fun signal -> Sys.signal signal break) signals in
  let finally () =
    List.iter2 Sys.set_signal signals before;
    Progress.clear b.progress
  in
  match Fun.protect ~finally f with
  | result -> Ok result
  | exception Failed why -> Error why
  | exception Sys.Break -> Error "interrupted"
  | exception Unix.Unix_error (error, _, _) ->
      Error (b.program.path ^ ": " ^ Unix.error_message error)
