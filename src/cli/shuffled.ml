open Drover_watch

type ending = Exit of int | Signal of int | Endless of float (* seconds *)
type outcome = { output : string; ending : ending }

let describe = function
  | Exit code -> Fmt.str "exit code %d" code
  | Signal n -> Fmt.str "ended by signal %d" n
  | Endless limit -> Fmt.str "has not ended in %.1f s, maybe as its tasks wait for each other" limit

let is_other binding = not (String.starts_with ~prefix:"DROVER_RACE" binding)

let environment settings =
  let others = List.filter is_other (Array.to_list (Unix.environment ())) in
  Array.of_list (List.map (fun (name, value) -> name ^ "=" ^ value) settings @ others)

(* Standard input is read again if it is a file. *)
let start (program : Program.t) settings ~output =
  (try ignore (Unix.lseek Unix.stdin 0 SEEK_SET : int) with Unix.Unix_error _ -> ());
  Unix.create_process_env program.path
    (Array.of_list (program.path :: program.args))
    (environment settings) Unix.stdin output Unix.stderr

let rec wait pid ~until =
  match Unix.waitpid (if until < infinity then [ WNOHANG ] else []) pid with
  | 0, _ when Unix.gettimeofday () < until ->
      Unix.sleepf 0.002;
      wait pid ~until
  | 0, _ ->
      Unix.kill pid Sys.sigkill;
      ignore (Unix.waitpid [] pid : int * Unix.process_status);
      None
  | _, status -> Some status
  | exception Unix.Unix_error (EINTR, _, _) -> wait pid ~until

let run program settings ~limit =
  let file = Filename.temp_file "drover-race" ".out" in
  Fun.protect
    ~finally:(fun () -> Sys.remove file)
    (fun () ->
      let output = Unix.openfile file [ O_WRONLY; O_CLOEXEC ] 0 in
      let pid = start program settings ~output in
      Unix.close output;
      let ending =
        match wait pid ~until:(Unix.gettimeofday () +. limit) with
        | None -> Endless limit
        | Some (WEXITED code) -> Exit code
        | Some (WSIGNALED n | WSTOPPED n) -> Signal (Sys.signal_to_int n)
      in
      { output = In_channel.with_open_bin file In_channel.input_all; ending })

let short line = if String.length line > 60 then String.sub line 0 60 ^ ".." else line

(* The first line that is another, from 1 on. *)
let rec first_difference line expected found =
  match (expected, found) with
  | e :: expected, f :: found when String.equal e f -> first_difference (line + 1) expected found
  | _ ->
      let text = function [] -> "the end" | line :: _ -> Fmt.str "%S" (short line) in
      Fmt.str "line %d is %s instead of %s" line (text found) (text expected)

let difference expected found =
  if found.ending <> expected.ending then
    Some (Fmt.str "%s instead of %s" (describe found.ending) (describe expected.ending))
  else if String.equal found.output expected.output then None
  else
    let lines s = String.split_on_char '\n' s in
    Some (first_difference 1 (lines expected.output) (lines found.output))

let settings ~domains seed =
  [ ("DROVER_RACE_SHUFFLE", string_of_int seed); ("DROVER_RACE_DOMAINS", string_of_int domains) ]

(* The others are as long as the first one takes, and some more; or they never end. *)
let limit_after seconds = 5. +. (20. *. seconds)

let search program ~domains ~is_rewritten n =
  let since = Unix.gettimeofday () in
  let expected = run program [ ("DROVER_RACE", "0") ] ~limit:infinity in
  let limit = limit_after (Unix.gettimeofday () -. since) in
  let rec go seed found =
    if seed > n then Ok found
    else
      let file = Filename.temp_file "drover-race" ".json" in
      Sys.remove file;
      let outcome = run program (("DROVER_RACE_JSON", file) :: settings ~domains seed) ~limit in
      let has_told = is_rewritten file in
      if Sys.file_exists file then Sys.remove file;
      match (outcome.ending, difference expected outcome) with
      | Exit _, None when not has_told -> Error ()
      | _, None -> go (seed + 1) found
      | Endless _, Some how -> Ok ((seed, how) :: found)
      | _, Some how -> go (seed + 1) ((seed, how) :: found)
  in
  Result.map List.rev (go 1 [])

let replay program ~domains seed =
  let pid = start program (settings ~domains seed) ~output:Unix.stdout in
  match wait pid ~until:infinity with
  | Some (WEXITED code) -> code
  | Some (WSIGNALED n | WSTOPPED n) -> 128 + Sys.signal_to_int n
  | None -> assert false (* there was no limit *)
