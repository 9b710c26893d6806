(** The example servers, as processes on a free port of the loopback interface. *)

type t
(** The type for running servers. *)

val with_server : string -> string list -> (t -> unit) -> unit
(** [with_server name arguments f] is [f s], where [s] is the program [name] of the examples. It is
    killed when [f] ends, if {!stop} has not ended it. *)

val port : t -> int
(** [port s] is the port that [s] listens on. *)

val connect : t -> in_channel * out_channel
(** [connect s] is a new connection, whose channels share one socket. *)

val ask : in_channel * out_channel -> string -> string
(** [ask c line] sends [line] and is the line that answers it. *)

val drop : in_channel * out_channel -> unit
(** [drop c] closes [c] such that the server's next write fails. *)

val terminate : t -> unit
(** [terminate s] asks [s] to end. *)

val wait : t -> Unix.process_status
(** [wait s] waits for the end of [s]. *)
