(** Where some wait until others let them go on, one or all: what conditions, latches and barriers
    share. Any domain. Lock-free. *)

type 'w t
(** The type for lobbies where ['w] wait. *)

val create : unit -> 'w t
(** [create ()] is an empty lobby. *)

val enter : 'w t -> 'w Line.place -> unit
(** [enter l place] puts [place] into [l]. *)

val leave : 'w t -> 'w Line.place -> unit
(** [leave l place] takes [place] out of [l], if it is there. *)

val withdraw : 'w t -> 'w Line.place -> bool ref -> unit
(** [withdraw l place is_out] is [leave l place], and sets [is_out] in the same step, if [place] was
    there. *)

val first : 'w t -> 'w Line.place option
(** [first l] is the place of whoever came first. *)

(** {1 In one step}

    Each is [false], and nothing else, if somebody has entered or left since {!look}. *)

val look : 'w t -> 'w Line.t
(** [look l] is all who are in [l]. *)

val enter_after : 'w t -> 'w Line.t -> 'w Line.place -> bool
(** [enter_after l line place] puts [place] into [l], if [line] is all who are there. *)

val clear : 'w t -> 'w Line.t -> bool
(** [clear l line] takes all out of [l], if [line] is all who are there. *)
