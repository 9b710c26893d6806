type t = { pid : int; port : int; mutable ended : bool }

let path name =
  let tests = Filename.dirname Sys.executable_name in
  Filename.concat tests ("../../examples/" ^ name ^ ".exe")

(* The first line that it prints tells the port. *)
let start ?files name arguments =
  let output, stdout = Unix.pipe ~cloexec:true () in
  let command = (path name :: arguments) @ [ "--port"; "0" ] in
  let command =
    match files with
    | None -> command
    | Some n -> "sh" :: "-c" :: Printf.sprintf "ulimit -n %d && exec \"$@\"" n :: "sh" :: command
  in
  let program = List.hd command in
  let pid = Unix.create_process program (Array.of_list command) Unix.stdin stdout Unix.stderr in
  Unix.close stdout;
  let line = input_line (Unix.in_channel_of_descr output) in
  { pid; port = Scanf.sscanf line "listening on port %d" Fun.id; ended = false }

let port s = s.port

let wait s =
  s.ended <- true;
  snd (Unix.waitpid [] s.pid)

let terminate s = Unix.kill s.pid Sys.sigterm

let with_server ?files name arguments f =
  let s = start ?files name arguments in
  let finally () =
    if not s.ended then begin
      Unix.kill s.pid Sys.sigkill;
      ignore (wait s : Unix.process_status)
    end
  in
  Fun.protect (fun () -> f s) ~finally

let connect s = Unix.open_connection (ADDR_INET (Unix.inet_addr_loopback, s.port))

let send (_, output) text =
  output_string output text;
  flush output

let rec lines input =
  match input_line input with
  | line -> line :: lines input
  | exception (End_of_file | Sys_error _) -> []

let until_it_hears_no_more (_, output) text =
  let socket = Unix.descr_of_out_channel output in
  Unix.setsockopt_int socket SO_RCVBUF 4096;
  Unix.set_nonblock socket;
  let rec go tries =
    match Unix.write_substring socket text 0 (String.length text) with
    | (_ : int) -> go 10
    | exception Unix.Unix_error ((EAGAIN | EWOULDBLOCK), _, _) when tries = 0 -> ()
    | exception Unix.Unix_error ((EPIPE | ECONNRESET), _, _) -> ()
    | exception Unix.Unix_error ((EAGAIN | EWOULDBLOCK), _, _) ->
        ignore (Unix.select [] [ socket ] [] 0.02);
        go (tries - 1)
  in
  go 10;
  Unix.clear_nonblock socket

let ask (input, output) line =
  output_string output (line ^ "\n");
  flush output;
  input_line input

(* Without lingering, the other side hears of a reset. *)
let drop (input, _) =
  let socket = Unix.descr_of_in_channel input in
  Unix.setsockopt_optint socket SO_LINGER (Some 0);
  Unix.close socket
