(* A connection is served, flushed and closed. One that has not come to its end when the server has
   to is cut: its promise is cancelled, and its channels let nothing wait any more. *)

open Lwt.Syntax

type client = {
  input : Lwt_io.input_channel;
  output : Lwt_io.output_channel;
  patience : float;
}

let in_time client f = Lwt_unix.with_timeout client.patience f

type settings = {
  port : int; (* 0 for a free one *)
  at_most : int; (* connections *)
  patience : float;
  grace : float;
      (* seconds that connections may take to end when the server does *)
}

type connection = {
  socket : Lwt_unix.file_descr;
  client : client;
  mutable served : unit Lwt.t;
}

type t = {
  settings : settings;
  stopping : unit Lwt.t; (* SIGTERM or SIGINT came *)
  mutable connections : connection list;
  closed : unit Lwt_condition.t; (* tells that a connection was *)
}

let create settings =
  let stopping, stop = Lwt.wait () in
  let on_signal (_ : int) =
    if Lwt.is_sleeping stopping then Lwt.wakeup_later stop ()
  in
  List.iter
    (fun signal ->
      ignore
        (Lwt_unix.on_signal signal on_signal : Lwt_unix.signal_handler_id))
    [ Sys.sigterm; Sys.sigint ];
  (* A client that goes away in the middle makes a write fail, and does not end the program. *)
  Sys.set_signal Sys.sigpipe Sys.Signal_ignore;
  { settings; stopping; connections = []; closed = Lwt_condition.create () }

(* One connection *)

let quietly f =
  Lwt.catch f (function
    | Unix.Unix_error _ | End_of_file | Lwt_unix.Timeout | Lwt.Canceled ->
        Lwt.return_unit
    | exn -> Lwt_io.eprintlf "connection: %s" (Printexc.to_string exn))

let close t connection =
  let* () = quietly (fun () -> Lwt_unix.close connection.socket) in
  t.connections <- List.filter (fun c -> c != connection) t.connections;
  Lwt_condition.broadcast t.closed ();
  Lwt.return_unit

let handle t serve ({ socket; client; _ } as connection) =
  let go () =
    Lwt_unix.setsockopt socket TCP_NODELAY true;
    serve client
  in
  Lwt.finalize
    (fun () ->
      let* () = quietly go in
      quietly (fun () ->
          in_time client (fun () -> Lwt_io.flush client.output)))
    (fun () -> close t connection)

let start t ~refuse serve socket =
  let keep () = Lwt.return_unit in
  let input = Lwt_io.of_fd ~close:keep ~mode:Lwt_io.input socket
  and output = Lwt_io.of_fd ~close:keep ~mode:Lwt_io.output socket in
  let client = { input; output; patience = t.settings.patience } in
  let connection = { socket; client; served = Lwt.return_unit } in
  let serve =
    if List.length t.connections < t.settings.at_most then serve else refuse
  in
  t.connections <- connection :: t.connections;
  connection.served <- handle t serve connection

(* All connections *)

type next = Connection of Lwt_unix.file_descr | Again | Stop

(* Where there is no descriptor or no memory for another connection, clients wait in the system until
   one of ours has ended, or others have given something back. *)
let next t listening =
  let accept () =
    let+ socket, _ = Lwt_unix.accept ~cloexec:true listening in
    Connection socket
  and pause () =
    let+ () =
      Lwt.pick [ Lwt_condition.wait t.closed; Lwt_unix.sleep 0.1 ]
    in
    Again
  in
  Lwt.catch accept (function
    | Unix.Unix_error _ -> pause ()
    | exn -> Lwt.reraise exn)

let rec accept_all t ~refuse serve listening =
  let stop = Lwt.map (fun () -> Stop) (Lwt.protected t.stopping) in
  let* next = Lwt.pick [ stop; next t listening ] in
  match next with
  | Stop -> Lwt_unix.close listening
  | Again -> accept_all t ~refuse serve listening
  | Connection socket ->
      start t ~refuse serve socket;
      accept_all t ~refuse serve listening

let rec until_empty t =
  if t.connections = [] then Lwt.return_unit
  else
    let* () = Lwt_condition.wait t.closed in
    until_empty t

(* What has arrived can be read, and then comes the end. *)
let end_input { socket; _ } =
  try Lwt_unix.shutdown socket SHUTDOWN_RECEIVE
  with Unix.Unix_error _ -> () (* the client is gone *)

let cut { socket; served; _ } =
  Lwt_unix.abort socket Lwt.Canceled;
  Lwt.cancel served

let listen port =
  let socket = Lwt_unix.(socket ~cloexec:true PF_INET SOCK_STREAM 0) in
  Lwt_unix.setsockopt socket SO_REUSEADDR true;
  let* () =
    Lwt_unix.bind socket (ADDR_INET (Unix.inet_addr_loopback, port))
  in
  Lwt_unix.listen socket 1024;
  Lwt.return socket

let announce socket =
  match Lwt_unix.getsockname socket with
  | ADDR_INET (_, port) -> Lwt_io.printlf "listening on port %d" port
  | ADDR_UNIX _ -> Lwt.return_unit

let run settings ~refuse serve =
  let t = create settings in
  let* listening = listen settings.port in
  let* () = announce listening in
  let* () = accept_all t ~refuse serve listening in
  List.iter end_input t.connections;
  let+ () = Lwt.pick [ until_empty t; Lwt_unix.sleep settings.grace ] in
  List.iter cut t.connections

(* The command line *)

let settings ~port =
  let open Cmdliner in
  let open Term.Syntax in
  let option kind name default doc =
    Arg.(value & opt kind default & info [ name ] ~doc)
  in
  let+ port = option Arg.int "port" port "The port; 0 for a free one."
  and+ at_most = option Arg.int "connections" 1000 "Connections at a time."
  and+ patience =
    option Arg.float "patience" 60.
      "Seconds that a client may take to send a request, or to read the \
       answer."
  and+ grace =
    option Arg.float "grace" 10.
      "Seconds that connections may take to end after SIGTERM."
  in
  { port; at_most; patience; grace }
