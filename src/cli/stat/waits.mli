(** What tasks wait for: a lock, a channel or a promise, and where. *)

type t
(** The type for what was heard of that. *)

val create : unit -> t
(** [create ()] has heard nothing. *)

val listen : t -> Drover_watch.Event.listener
(** [listen t] hears all events but the last. *)

val lose : t -> int -> unit
(** [lose t ring] is for events of [ring] that were lost. *)

val finish : t -> at:int -> unit
(** [finish t ~at] is for the end of the program: the waits that go on are over then. *)

type figures = { what : string; waits : int; total : float;  (** seconds *) longest : float }
(** The type for what tasks have waited for one thing. *)

val place : figures -> (string * string) option
(** [place w] is [w.what] as what the task does, and where, if that is known. *)

val figures : t -> figures list
(** [figures t] is all of them, by total, the largest first. *)
