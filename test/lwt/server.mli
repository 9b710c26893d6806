(** The example servers, as processes on a free port of the loopback interface. *)

type t
(** The type for running servers. *)

val with_server : ?files:int -> string -> string list -> (t -> unit) -> unit
(** [with_server name arguments f] is [f s], where [s] is the program [name] of the examples, which
    may have [files] open. It is killed when [f] ends, if {!wait} has not seen its end. *)

val port : t -> int
(** [port s] is the port that [s] listens on. *)

val connect : t -> in_channel * out_channel
(** [connect s] is a new connection, whose channels share one socket. *)

val ask : in_channel * out_channel -> string -> string
(** [ask c line] sends [line] and is the line that answers it. *)

val send : in_channel * out_channel -> string -> unit
(** [send c text] sends [text]. *)

val lines : in_channel -> string list
(** [lines input] is what comes until the other side ends the connection. *)

val until_it_hears_no_more : in_channel * out_channel -> string -> unit
(** [until_it_hears_no_more c text] sends [text] again and again, and reads nothing, until the other
    side takes no more. *)

val drop : in_channel * out_channel -> unit
(** [drop c] closes [c] such that the server's next write fails. *)

val terminate : t -> unit
(** [terminate s] asks [s] to end. *)

val wait : t -> Unix.process_status
(** [wait s] waits for the end of [s]. *)
