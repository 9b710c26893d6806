type settings = {
  port : int; (* 0 for a free one *)
  at_most : int; (* connections *)
  patience : float;
  grace : float;
      (* seconds that connections may take to end when the server does *)
}

type answer = { status : int; body : string }

(* The largest request line, or field. *)
let longest_line = 8192

(* A signal's handler may do no more than tell a condition. *)
let stop_on_signal ~sw =
  let stop, resolver = Eio.Promise.create () in
  let came = Atomic.make false and told = Eio.Condition.create () in
  let handle (_ : int) =
    Atomic.set came true;
    Eio.Condition.broadcast told
  in
  List.iter
    (fun signal -> Sys.set_signal signal (Signal_handle handle))
    [ Sys.sigterm; Sys.sigint ];
  Sys.set_signal Sys.sigpipe Signal_ignore;
  Eio.Fiber.fork_daemon ~sw (fun () ->
      Eio.Condition.loop_no_mutex told (fun () ->
          if Atomic.get came then Some () else None);
      Eio.Promise.resolve resolver ();
      `Stop_daemon);
  stop

(* One connection *)

let quietly f =
  try f ()
  with
  | End_of_file | Eio.Io _ | Eio.Time.Timeout
  | Eio.Buf_read.Buffer_limit_exceeded
  ->
    ()

let rec serve settings clock answer input flow =
  let in_time f = Eio.Time.with_timeout_exn clock settings.patience f in
  match in_time (fun () -> Http.read input) with
  | None -> ()
  | exception Http.Bad reason ->
      in_time (fun () ->
          Http.respond flow ~status:400 ~keep_alive:false (reason ^ "\n"))
  | Some { path; keep_alive } ->
      let { status; body } = answer path in
      in_time (fun () -> Http.respond flow ~status ~keep_alive body);
      if keep_alive then serve settings clock answer input flow

(* When the server is to stop, what has arrived can be read, and then comes the end. *)
let handle settings clock stop answer flow _address =
  Eio.Switch.run (fun sw ->
      Eio.Fiber.fork_daemon ~sw (fun () ->
          Eio.Promise.await stop;
          quietly (fun () -> Eio.Flow.shutdown flow `Receive);
          `Stop_daemon);
      let input = Eio.Buf_read.of_flow ~max_size:longest_line flow in
      quietly (fun () -> serve settings clock answer input flow))

(* All connections *)

(* Where there is no descriptor for another connection, clients wait in the
   system until one of ours has ended, or others have given some back. *)
let accept_all settings clock ~sw ~on_error socket handle =
  let room = Eio.Semaphore.make settings.at_most in
  let handle flow address =
    Fun.protect
      (fun () -> handle flow address)
      ~finally:(fun () -> Eio.Semaphore.release room)
  in
  let rec accept () =
    Eio.Semaphore.acquire room;
    (match Eio.Net.accept_fork ~sw ~on_error socket handle with
    | () -> ()
    | exception Eio.Io _ ->
        Eio.Semaphore.release room;
        Eio.Time.sleep clock 0.1);
    accept ()
  in
  accept ()

let announce socket =
  match Eio.Net.listening_addr socket with
  | `Tcp (_, port) -> Printf.printf "listening on port %d\n%!" port
  | `Unix _ -> ()

let run settings env answer =
  let clock = Eio.Stdenv.clock env in
  Eio.Switch.run (fun sw ->
      let stop = stop_on_signal ~sw in
      let address = `Tcp (Eio.Net.Ipaddr.V4.loopback, settings.port) in
      let socket =
        Eio.Net.listen ~sw ~reuse_addr:true ~backlog:1024
          (Eio.Stdenv.net env) address
      in
      announce socket;
      let on_error exn = Eio.traceln "connection: %a" Eio.Exn.pp exn in
      let serve () =
        Eio.Switch.run (fun sw ->
            Eio.Fiber.first
              (fun () -> Eio.Promise.await stop)
              (fun () ->
                accept_all settings clock ~sw ~on_error socket
                  (handle settings clock stop answer)))
      and cut () =
        Eio.Promise.await stop;
        Eio.Time.sleep clock settings.grace
      in
      Eio.Fiber.first serve cut)

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
