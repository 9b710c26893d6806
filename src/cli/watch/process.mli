(** Processes that run already, as Linux tells of them. Elsewhere little is known. *)

val name : int -> string
(** [name pid] is what to call the process [pid]: its number, and its command where the system
    tells. *)

val is_alive : int -> bool
(** [is_alive pid] is whether it has not ended. *)

val check : int -> (unit, string) result
(** [check pid] is [Ok ()] if the process is there and may be looked into. The error says why not.
*)

val cpu : int -> float
(** [cpu pid] is its processor time so far, in seconds. *)

val variable : int -> string -> string option
(** [variable pid name] is what its environment had there when it began. *)

val folder : int -> string
(** [folder pid] is its current folder. *)
