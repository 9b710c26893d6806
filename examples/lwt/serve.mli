(** TCP servers on the loopback interface, whatever their clients do.

    A limited number of connections is served at a time. A client that is
    slow to send or to read is given up after a while; what goes wrong with
    a connection is the end of that connection only; and where the program
    may open no more files, the next clients wait until it may.

    SIGTERM and SIGINT end the server: it accepts nothing more, and what has
    arrived is served; then, or when that takes too long, it returns. *)

type client = {
  input : Lwt_io.input_channel;
  output : Lwt_io.output_channel;
  patience : float;
      (** seconds that it may take to send a request, or to read the answer
      *)
}
(** The type for the other sides of connections. When the server ends,
    [input] does, after what has arrived. *)

val in_time : client -> (unit -> 'a Lwt.t) -> 'a Lwt.t
(** [in_time client f] is [f ()], which waits for [client]; raises
    [Lwt_unix.Timeout] when that takes longer than its patience. *)

type settings

val settings : port:int -> settings Cmdliner.Term.t
(** [settings ~port] is what the command line says; the port is [port] by
    default. *)

val run :
  settings ->
  refuse:(client -> unit Lwt.t) ->
  (client -> unit Lwt.t) ->
  unit Lwt.t
(** [run settings ~refuse serve] prints the port that it listens on, calls
    [serve] for each connection, or [refuse] if there are too many, and ends
    with the server. [serve] may raise what channels and {!in_time} raise;
    it is cancelled if it has not ended when the server does. *)
