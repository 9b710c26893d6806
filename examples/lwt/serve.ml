(* Serve: TCP connections on the loopback interface, a limited number at a time, until a signal asks
   the program to end. *)

open Lwt.Syntax

type t = {
  at_most : int; (* connections *)
  stopping : unit Lwt.t; (* SIGTERM or SIGINT came *)
  mutable connections : int;
  changed : unit Lwt_condition.t;
}

let create ~at_most =
  let stopping, stop = Lwt.wait () in
  let on_signal (_ : int) = if Lwt.is_sleeping stopping then Lwt.wakeup_later stop () in
  List.iter
    (fun signal -> ignore (Lwt_unix.on_signal signal on_signal : Lwt_unix.signal_handler_id))
    [ Sys.sigterm; Sys.sigint ];
  (* A client that goes away in the middle makes a write fail, and does not end the program. *)
  Sys.set_signal Sys.sigpipe Sys.Signal_ignore;
  { at_most; stopping; connections = 0; changed = Lwt_condition.create () }

let is_stopping t = not (Lwt.is_sleeping t.stopping)

(* What goes wrong with a connection is the end of that connection only. *)
let handle t ~refuse connection channels =
  let run () = if t.connections > t.at_most then refuse channels else connection channels in
  Lwt.catch run (function
    | Unix.Unix_error _ | End_of_file | Lwt_unix.Timeout -> Lwt.return_unit
    | exn -> Lwt_io.eprintlf "connection: %s" (Printexc.to_string exn))

let accept t ~refuse connection (_ : Unix.sockaddr) socket =
  let keep () = Lwt.return_unit in
  let input = Lwt_io.of_fd ~close:keep ~mode:Lwt_io.input socket
  and output = Lwt_io.of_fd ~close:keep ~mode:Lwt_io.output socket in
  t.connections <- t.connections + 1;
  Lwt.finalize
    (fun () -> handle t ~refuse connection (input, output))
    (fun () ->
      t.connections <- t.connections - 1;
      Lwt_condition.broadcast t.changed ();
      Lwt_unix.close socket)

let rec until_empty t =
  if t.connections = 0 then Lwt.return_unit
  else
    let* () = Lwt_condition.wait t.changed in
    until_empty t

(* The port is the one that was asked for, or a free one for 0. *)
let announce socket =
  match Lwt_unix.getsockname socket with
  | ADDR_INET (_, port) -> Lwt_io.printlf "listening on port %d" port
  | ADDR_UNIX _ -> Lwt.return_unit

(* Serves until the program is asked to end; then lets connections end, for [patience] seconds.
   [refuse] is for those that are too many. *)
let run t ~port ~patience ~refuse connection =
  let socket = Lwt_unix.(socket ~cloexec:true PF_INET SOCK_STREAM 0) in
  Lwt_unix.setsockopt socket SO_REUSEADDR true;
  let* server =
    Lwt_io.establish_server_with_client_socket ~server_fd:socket ~no_close:true
      ~set_tcp_nodelay:true
      (ADDR_INET (Unix.inet_addr_loopback, port))
      (accept t ~refuse connection)
  in
  let* () = announce socket in
  let* () = t.stopping in
  let* () = Lwt_io.shutdown_server server in
  Lwt.pick [ until_empty t; Lwt_unix.sleep patience ]
