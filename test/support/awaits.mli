(** Calls that wait, for fibers of a scheduler that is not Drover's. *)

type t = {
  wait : unit -> unit;  (** returns when [go] has been called, which it checks *)
  go : unit -> unit;  (** never waits *)
  again : unit -> unit;  (** returns if a wait that was cancelled has left nothing behind *)
}
(** The type for waits, each of which is used once. *)

val all : (string * (unit -> t)) list
(** Every way to wait, by name. To be made where it is used. *)
