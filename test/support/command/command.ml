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

(* No call of the command takes more than a few seconds; on a busy machine some more. *)
let limit = 150. (* seconds *)

let rec wait pid ~until =
  match Unix.waitpid [ WNOHANG ] pid with
  | 0, _ when Unix.gettimeofday () < until ->
      Unix.sleepf 0.005;
      wait pid ~until
  | 0, _ ->
      let family = Processes.below pid in
      let report = String.concat "\n" (List.concat_map Processes.threads family) in
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
