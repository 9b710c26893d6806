(** The little of HTTP/1.1 that a service with small requests needs: GET,
    answers of text, and connections that are kept. *)

type request = { path : string; keep_alive : bool }

exception Bad of string
(** Raised for what is no request. *)

val read : Eio.Buf_read.t -> request option
(** [read input] is the next request, if there is one before the end. Raises
    {!Bad}, and [Eio.Buf_read.Buffer_limit_exceeded] if a line is too long.
*)

val respond :
  _ Eio.Flow.sink -> ?status:int -> keep_alive:bool -> string -> unit
(** [respond output body] sends an answer (by default: 200). *)

val ask : Eio.Buf_read.t -> _ Eio.Flow.sink -> string -> int * string
(** [ask input output path] sends a request for [path], and is the status
    and the body of its answer. *)
