(* The scene is named by an environment variable, and its output goes to files, so that no pipe
   fills up. *)

type t = { name : string; play : unit -> unit }
type running = { pid : int; out : string; err : string }
type ending = { status : Unix.process_status; output : string; errors : string }

let variable = "DROVER_TEST_SCENE"

let main scenes tests =
  match Sys.getenv_opt variable with
  | None -> tests ()
  | Some name -> (List.find (fun scene -> scene.name = name) scenes).play ()

let to_file path = Unix.openfile path [ Unix.O_WRONLY; Unix.O_TRUNC; Unix.O_CLOEXEC ] 0o600

let start ?parameters ?limits scene =
  let out = Filename.temp_file "scene" ".out" and err = Filename.temp_file "scene" ".err" in
  let stdout = to_file out and stderr = to_file err in
  (* What comes first counts. *)
  let runtime = Option.map (( ^ ) "OCAMLRUNPARAM=") parameters in
  let own = Array.of_list ((variable ^ "=" ^ scene.name) :: Option.to_list runtime) in
  let environment = Array.append own (Unix.environment ()) in
  let program = Sys.executable_name in
  let command =
    match limits with
    | None -> [| program |]
    | Some limits -> [| "/bin/sh"; "-c"; limits ^ "; exec \"$0\""; program |]
  in
  let pid = Unix.create_process_env command.(0) command environment Unix.stdin stdout stderr in
  Unix.close stdout;
  Unix.close stderr;
  { pid; out; err }

let mark = "ready\n"

let ready () =
  print_string mark;
  flush stdout

let contents path = In_channel.with_open_bin path In_channel.input_all
let pause = 0.002

let rec until_ready c =
  if not (String.starts_with ~prefix:mark (contents c.out)) then begin
    Unix.sleepf pause;
    until_ready c
  end

(* R is running or ready to run, S is asleep, Z has ended. *)
let state c =
  let stat = contents (Printf.sprintf "/proc/%d/stat" c.pid) in
  stat.[String.rindex stat ')' + 2]

let rec until_asleep c =
  if not (List.mem (state c) [ 'S'; 'Z' ]) then begin
    Unix.sleepf pause;
    until_asleep c
  end

let contains text part =
  let n = String.length part in
  let rec go i = i + n <= String.length text && (String.sub text i n = part || go (i + 1)) in
  go 0

let rec until_says c text =
  if not (contains (contents c.err) text || state c = 'Z') then begin
    Unix.sleepf pause;
    until_says c text
  end

let signal c s = Unix.kill c.pid s

let without_mark text =
  if String.starts_with ~prefix:mark text then
    String.sub text (String.length mark) (String.length text - String.length mark)
  else text

let rec wait_for c =
  match Unix.waitpid [] c.pid with
  | _, status -> status
  | exception Unix.Unix_error (EINTR, _, _) -> wait_for c

let ending c =
  let status = wait_for c in
  let ending = { status; output = without_mark (contents c.out); errors = contents c.err } in
  Sys.remove c.out;
  Sys.remove c.err;
  ending

let case ?parameters scene =
  Watchdog.case scene.name (fun () ->
      let e = ending (start ?parameters scene) in
      if e.status <> WEXITED 0 then Alcotest.fail e.errors)

let check_exit code scene =
  let { status; output; errors } = ending (start scene) in
  Alcotest.(check bool) (Printf.sprintf "exit code %d" code) true (status = WEXITED code);
  Alcotest.(check string) "ends there" "" output;
  Alcotest.(check string) "without a word" "" errors
