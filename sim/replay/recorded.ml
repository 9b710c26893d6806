(* Recorded: what a program did while it was measured, as Drover wrote it (src/seen/recording.ml).

   A line is an item: its letter, and numbers. What has parts is followed by them, and by "." at the end.
   - w NS WORDS CALLS: work, with the forks and loops that are no items of their own
   - f, two sequences: a fork
   - l, runs: a loop
   - t TASK, a sequence: a task starts
   - s EVENT: what others may wait for
   - a EVENT TASK: waits for it, the end of the task unless that is -1
   A run is one of
   - r N NS WORDS CALLS: so many iterations
   - i, a sequence: one iteration *)

type work = { ns : int; words : int; calls : int }

type item =
  | Work of work
  | Fork of item list * item list
  | Loop of run list
  | Start of int * item list
  | Signal of int
  | Wait of { event : int; task : int option }

and run = Steps of int * work | Iteration of item list

type t = {
  events : int;
  piece : int; (* nanoseconds: what takes less has no parts *)
  numbers : int; (* of tasks and events, from 0 *)
  rest : int; (* nanoseconds of work, of which no more is known *)
  program : item list;
}

(* To read it *)

let numbers words =
  let number word =
    match int_of_string_opt word with Some n -> n | None -> failwith ("recording: " ^ word)
  in
  List.map number words

let next lines =
  match !lines with
  | [] -> failwith "recording: no end"
  | line :: rest -> (
      lines := rest;
      match String.split_on_char ' ' line with
      | letter :: words -> (letter, numbers words)
      | [] -> failwith "recording: an empty line")

(* All up to the line ".". *)
let rec parts lines part =
  match next lines with
  | ".", [] -> []
  | line ->
      let first = part lines line in
      first :: parts lines part

let rec sequence lines = parts lines item

and item lines = function
  | "w", [ ns; words; calls ] -> Work { ns; words; calls }
  | "f", [] ->
      let left = sequence lines in
      Fork (left, sequence lines)
  | "l", [] -> Loop (parts lines run)
  | "t", [ task ] -> Start (task, sequence lines)
  | "s", [ event ] -> Signal event
  | "a", [ event; task ] -> Wait { event; task = (if task < 0 then None else Some task) }
  | letter, _ -> failwith ("recording: " ^ letter)

and run lines = function
  | "r", [ n; ns; words; calls ] -> Steps (n, { ns; words; calls })
  | "i", [] -> Iteration (sequence lines)
  | letter, _ -> failwith ("recording: " ^ letter)

let parse lines =
  let lines = ref lines in
  match next lines with
  | "recording", [ events; piece; numbers; rest ] ->
      { events; piece; numbers; rest; program = sequence lines }
  | letter, _ -> failwith ("recording: " ^ letter)

(* Nanoseconds, without [rest] *)

let rec work_of_items items = List.fold_left (fun sum i -> sum + work_of_item i) 0 items

and work_of_item = function
  | Work w -> w.ns
  | Fork (left, right) -> work_of_items left + work_of_items right
  | Loop runs -> List.fold_left (fun sum r -> sum + work_of_run r) 0 runs
  | Start (_, body) -> work_of_items body
  | Signal _ | Wait _ -> 0

and work_of_run = function Steps (_, w) -> w.ns | Iteration items -> work_of_items items
