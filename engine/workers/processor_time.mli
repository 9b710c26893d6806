(** The processor time of a thread, as Linux counts it. Elsewhere there is none.

    Any thread; nothing waits. *)

type t = {
  ran : float;  (** seconds that the thread was on a processor, since it began *)
  waited : float;  (** seconds that it could have been, and others were *)
}

val place : unit -> string option
(** [place ()] is where any thread can read the time of the calling one. *)

val read : string -> t option
(** [read place] is the time of that thread; [None] if it has ended, or no descriptor is free. *)
