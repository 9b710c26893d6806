(** The parts of a program: the spans that it names with [Drover.named]. *)

type t
(** The type for what was heard of them. *)

val create : unit -> t
(** [create ()] has heard nothing. *)

val listen : t -> Drover_watch.Event.listener
(** [listen t] hears all events but the last. *)

val lose : t -> int -> unit
(** [lose t ring] is for events of [ring] that were lost: what was open there is over. *)

val finish : t -> at:int -> unit
(** [finish t ~at] is for the end of the program: what is open is over then. *)

type figures = {
  name : string;
  calls : int;
  total : float;  (** seconds, of all calls, with the waits in them *)
  longest : float;  (** the longest call *)
  elapsed : float;  (** seconds in which any call was open *)
  workers : float;
      (** how many were at work then, on average: in any task, or outside tasks in a call *)
}
(** The type for what a part has taken. *)

val figures : t -> figures list
(** [figures t] is all of them, by total, the largest first. *)
