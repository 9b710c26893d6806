(** Where some wait until others let them go on, one or all: what conditions, latches and barriers
    share. *)

type 'w t
(** The type for lobbies where ['w] wait. *)

val create : unit -> 'w t
(** [create ()] is an empty lobby. *)

val enter : 'w t -> 'w -> int option
(** [enter l w] puts [w] into [l] and is its ticket; [None], and nothing else, if [l] is closed. Any
    domain. Lock-free. *)

(** What became of a meeting. *)
type 'w meeting = Waits of int  (** with this ticket *) | Met of 'w list  (** with these *)

val meet : 'w t -> parties:int -> 'w -> 'w meeting
(** [meet l ~parties w] puts [w] into [l], unless it makes [parties] together with those in [l]:
    then these leave [l]. Any domain. Lock-free. *)

val leave : 'w t -> int -> 'w -> unit
(** [leave l ticket w] takes [w] out of [l], if it is still there. Any domain. Lock-free. *)

val next : 'w t -> 'w option
(** [next l] takes who came first out of [l]. Any domain. Lock-free. *)

val all : 'w t -> 'w list
(** [all l] takes all out of [l], in order of arrival. Any domain. Lock-free. *)

val close : 'w t -> 'w list
(** [close l] is [all l]; from now on nobody enters [l]. Any domain. Lock-free. *)

val is_closed : 'w t -> bool
(** [is_closed l] is [true] iff [l] is closed. Any domain. Never waits. *)
