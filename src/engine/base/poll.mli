(** Poll: which descriptors are ready, however many there are, and whatever their numbers. *)

type state = Waiting | Ready | Closed

type request = private {
  descriptor : Unix.file_descr;
  for_writing : bool;
  mutable state : state;
      (** [Ready] once one could read from it, or write to it, without waiting; [Closed] once it was
          found to be closed *)
}
(** The type for requests. Several threads may ask for one at a time. *)

val request : for_writing:bool -> Unix.file_descr -> request
(** [request ~for_writing d] asks whether one can write to [d], or else read from it. *)

val wait : request array -> float -> unit
(** [wait requests seconds] blocks the calling thread until one of them is not [Waiting], or for so
    long at most, and sets their states. A signal ends it; it raises what a handler raises. With 0
    seconds it never waits. Those for one descriptor are to be neighbours: the system wants no more
    descriptors than the process may have. *)
