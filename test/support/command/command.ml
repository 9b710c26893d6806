let command = Sys.getenv "COMMAND"

let contains text part =
  match Str.search_forward (Str.regexp_string part) text 0 with
  | _ -> true
  | exception Not_found -> false

let check_contains text part =
  if not (contains text part) then Alcotest.failf "%S is not in %S" part text

let read file = In_channel.with_open_bin file In_channel.input_all

let temporary suffix f =
  let file = Filename.temp_file "drover" suffix in
  Fun.protect ~finally:(fun () -> Sys.remove file) (fun () -> f file)

(* What a process and those below it do, as Linux tells it: a line for each thread. *)

let read_opt file = try Some (read file) with Sys_error _ -> None
let listing dir = try Array.to_list (Sys.readdir dir) with Sys_error _ -> []

let parent pid =
  let of_line line = Scanf.sscanf_opt line "PPid: %d" Fun.id in
  let lines =
    Option.fold
      (read_opt (Printf.sprintf "/proc/%d/status" pid))
      ~none:[] ~some:(String.split_on_char '\n')
  in
  List.find_map of_line lines

let rec is_below top pid =
  pid = top || match parent pid with Some p when p > 1 -> is_below top p | _ -> false

let threads pid =
  let one tid =
    let look what =
      Option.value (read_opt (Printf.sprintf "/proc/%d/task/%s/%s" pid tid what)) ~default:"?"
    in
    Printf.sprintf "%d/%s %s| %s" pid tid (look "stat") (look "wchan")
  in
  List.map one (listing (Printf.sprintf "/proc/%d/task" pid))

let below pid = List.filter (is_below pid) (List.filter_map int_of_string_opt (listing "/proc"))

(* No call of the command takes more than a few seconds; on a busy machine some more. *)
let limit = 150. (* seconds *)

let rec wait pid ~until =
  match Unix.waitpid [ WNOHANG ] pid with
  | 0, _ when Unix.gettimeofday () < until ->
      Unix.sleepf 0.005;
      wait pid ~until
  | 0, _ ->
      let family = below pid in
      let report = String.concat "\n" (List.concat_map threads family) in
      List.iter (fun p -> try Unix.kill p Sys.sigkill with Unix.Unix_error _ -> ()) family;
      ignore (Unix.waitpid [] pid : int * Unix.process_status);
      Error report
  | _, WEXITED code -> Ok code
  | _, (WSIGNALED signal | WSTOPPED signal) -> Ok (128 + abs signal)

let start args ~environment ~stdout ~stderr =
  let out = Unix.openfile stdout [ O_WRONLY; O_TRUNC; O_CLOEXEC ] 0o600
  and err = Unix.openfile stderr [ O_WRONLY; O_TRUNC; O_CLOEXEC ] 0o600 in
  let environment = Array.append environment (Unix.environment ()) in
  let pid =
    Unix.create_process_env command (Array.of_list (command :: args)) environment Unix.stdin out err
  in
  Unix.close out;
  Unix.close err;
  pid

(* Exit code, standard output, standard error. A call that does not end is killed. *)
let call ?(environment = [||]) ?(during = ignore) args =
  temporary ".out" (fun stdout ->
      temporary ".err" (fun stderr ->
          let pid = start args ~environment ~stdout ~stderr in
          during pid;
          match wait pid ~until:(Unix.gettimeofday () +. limit) with
          | Ok code -> (code, read stdout, read stderr)
          | Error report ->
              Alcotest.failf "%s %s did not end:\n%s\n%s\n%s" command (String.concat " " args)
                report (read stdout) (read stderr)))

let fails args ~code ~saying () =
  let found, _, err = call args in
  Alcotest.(check int) "exit code" code found;
  List.iter (check_contains err) saying
