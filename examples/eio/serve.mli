(** HTTP on the loopback interface, for as long as the program is not told
    to end.

    A limited number of connections is served at a time, and others wait in
    the system. A client that is slow to send or to read is given up after a
    while; what goes wrong with a connection is the end of that connection
    only.

    SIGTERM and SIGINT end the server: it accepts nothing more, and what has
    arrived is answered; then, or when that takes too long, it returns. *)

type settings

val settings : port:int -> settings Cmdliner.Term.t
(** [settings ~port] is what the command line says; the port is [port] by
    default. *)

type answer = { status : int; body : string }

val run : settings -> Eio_unix.Stdenv.base -> (string -> answer) -> unit
(** [run settings env answer] prints the port that it listens on, answers
    requests for a path with [answer path], and returns when the server
    ends. [answer] is cancelled if it has not ended then. *)
