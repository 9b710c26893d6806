type t = { pid : int; port : int; mutable ended : bool }

let path name =
  let tests = Filename.dirname Sys.executable_name in
  Filename.concat tests ("../../examples/lwt/" ^ name ^ ".exe")

(* The first line that it prints tells the port. *)
let start name arguments =
  let output, stdout = Unix.pipe ~cloexec:true () in
  let program = path name in
  let arguments = Array.of_list ((program :: arguments) @ [ "--port"; "0" ]) in
  let pid = Unix.create_process program arguments Unix.stdin stdout Unix.stderr in
  Unix.close stdout;
  let line = input_line (Unix.in_channel_of_descr output) in
  { pid; port = Scanf.sscanf line "listening on port %d" Fun.id; ended = false }

let port s = s.port

let wait s =
  s.ended <- true;
  snd (Unix.waitpid [] s.pid)

let terminate s = Unix.kill s.pid Sys.sigterm

let with_server name arguments f =
  let s = start name arguments in
  let finally () =
    if not s.ended then begin
      Unix.kill s.pid Sys.sigkill;
      ignore (wait s : Unix.process_status)
    end
  in
  Fun.protect (fun () -> f s) ~finally

let connect s = Unix.open_connection (ADDR_INET (Unix.inet_addr_loopback, s.port))

let ask (input, output) line =
  output_string output (line ^ "\n");
  flush output;
  input_line input

(* Without lingering, the other side hears of a reset. *)
let drop (input, _) =
  let socket = Unix.descr_of_in_channel input in
  Unix.setsockopt_optint socket SO_LINGER (Some 0);
  Unix.close socket
