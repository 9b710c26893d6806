type verdict = { code : int; line : string }

let verdict code = Printf.ksprintf (fun line -> { code; line })
let right format = verdict 0 format
let wrong format = verdict 1 format
let cannot format = verdict 77 format
let expect fine format = verdict (if fine then 0 else 1) format
let now = Unix.gettimeofday

let spin seconds =
  let until = now () +. seconds in
  while now () < until do
    ignore (Sys.opaque_identity ())
  done

let quantile q l =
  let sorted = List.sort Float.compare l in
  List.nth sorted (max 0 (int_of_float (ceil (q *. float (List.length l))) - 1))

let contains text part =
  match Str.search_forward (Str.regexp_string part) text 0 with
  | (_ : int) -> true
  | exception Not_found -> false

(* The programs lie where their sources do, below _build/default. *)
let built path =
  let rec root folder =
    if Filename.basename folder = "test" then Filename.dirname folder
    else root (Filename.dirname folder)
  in
  Filename.concat (root (Filename.dirname Sys.executable_name)) path

(* Processes *)

let kill pid = try Unix.kill pid Sys.sigkill with Unix.Unix_error (ESRCH, _, _) -> ()

let rec wait_until pid time =
  match Unix.waitpid [ WNOHANG ] pid with
  | 0, _ when now () < time ->
      Unix.sleepf 0.005;
      wait_until pid time
  | 0, _ -> None
  | _, status -> Some status

let beside n f =
  let rec spin_for parent =
    if Unix.getppid () = parent then (
      spin 0.01;
      spin_for parent)
  in
  let parent = Unix.getpid () in
  let start _ =
    match Unix.fork () with
    | 0 ->
        spin_for parent;
        Unix._exit 0
    | pid -> pid
  in
  let pids = List.init n start in
  let stop pid =
    kill pid;
    ignore (Unix.waitpid [] pid : int * Unix.process_status)
  in
  Fun.protect ~finally:(fun () -> List.iter stop pids) f

type running = { pid : int; file : string }
type ending = { status : Unix.process_status option; output : string }

let as_user user command =
  match user with
  | None -> command
  | Some id -> [ "setpriv"; "--reuid"; string_of_int id; "--clear-groups" ] @ command

let start ?(environment = []) ?as_user:user command =
  let file = Filename.temp_file "drover" ".output" in
  let output = Unix.openfile file [ O_WRONLY; O_TRUNC; O_CLOEXEC ] 0o600 in
  let command = Array.of_list (as_user user command) in
  let environment = Array.append (Array.of_list environment) (Unix.environment ()) in
  let pid = Unix.create_process_env command.(0) command environment Unix.stdin output output in
  Unix.close output;
  { pid; file }

let pid p = p.pid
let said p = In_channel.with_open_bin p.file In_channel.input_all

let has_ended p =
  match In_channel.with_open_bin (Printf.sprintf "/proc/%d/stat" p.pid) In_channel.input_all with
  | text -> contains text ") Z"
  | exception Sys_error _ -> true

let rec until_it_says p text =
  let over = has_ended p in
  let said = said p in
  if over || contains said text then said
  else begin
    Unix.sleepf 0.005;
    until_it_says p text
  end

let ending ?(seconds = 15.) p =
  let status = wait_until p.pid (now () +. seconds) in
  if status = None then begin
    kill p.pid;
    ignore (Unix.waitpid [] p.pid : int * Unix.process_status)
  end;
  let output = said p in
  Sys.remove p.file;
  { status; output }

let call ?environment ?as_user ?seconds command =
  ending ?seconds (start ?environment ?as_user command)

let ended_well e = e.status = Some (WEXITED 0)
let scene name = [ Sys.executable_name; name ]

(* The case *)

let found f = try f () with e -> wrong "raises %s" (Printexc.to_string e)

(* The line counts only if the process then ends. *)
let in_child f report =
  ignore (Unix.setsid () : int);
  let verdict = found f in
  let report = Unix.out_channel_of_descr report in
  output_string report verdict.line;
  flush report;
  exit verdict.code

let of_status seconds line = function
  | Some (Unix.WEXITED ((0 | 1 | 77) as code)) when line <> "" -> { code; line }
  | Some (WEXITED code) -> wrong "ends with code %d %s" code line
  | Some (WSIGNALED signal | WSTOPPED signal) -> wrong "ends by signal %d %s" signal line
  | None -> wrong "has not ended after %g s %s" seconds line

let main ?(seconds = 20.) f =
  let read, report = Unix.pipe ~cloexec:true () in
  match Unix.fork () with
  | 0 -> in_child f report
  | pid ->
      Unix.close report;
      let group_ends () = kill (-pid) in
      Sys.catch_break true;
      let status = Fun.protect ~finally:group_ends (fun () -> wait_until pid (now () +. seconds)) in
      let line = In_channel.input_all (Unix.in_channel_of_descr read) in
      let verdict = of_status seconds line status in
      print_endline verdict.line;
      exit verdict.code
