(** Threads of Drover's own, and which signals they take: none that has a handler of the program's.
*)

val with_all_blocked : (unit -> 'a) -> 'a
(** [with_all_blocked f] is [f ()], with all signals blocked, also in the threads and domains that
    it makes. Handlers of signals that were blocked before run when this is over, and may raise: so
    [f] is to keep what it makes. *)

val with_mask_from_all : int list -> (unit -> 'a) -> 'a
(** [with_mask_from_all mask f] is [f ()], with this mask, on a thread that blocks all signals.
    Handlers of signals run when the mask is set, and may raise. So [f] is to keep what it makes. *)

val program_mask : unit -> int list
(** [program_mask ()] is the mask that the program has chosen for the calling thread. *)

val begin_worker : int list -> unit
(** [begin_worker mask]: the calling domain is a worker's, of a pool that was made by a thread with
    this mask. *)

val refresh : unit -> unit
(** [refresh ()], by workers now and then, blocks what has a handler now. *)

val handled : unit -> int list
(** [handled ()] is the signals that have a handler, by the system's numbers; perhaps too many where
    the system does not tell. *)

val look_afresh : unit -> unit
(** [look_afresh ()] looks which signals have handlers, for the domains that are made next. *)

(** {1 Threads and domains}

    They begin with all signals blocked, so that no handler of the program's runs there, not even in
    their first steps. Any thread. *)

val spawn_thread : (unit -> unit) -> bool
(** [spawn_thread live] makes a thread of the calling domain that does [live ()]; [false] if none
    can be made. *)

val spawn_domain : ?keep:(unit Domain.t -> unit) -> (unit -> unit) -> bool
(** [spawn_domain ~keep live] makes a domain that does [live ()] and ends, and [keep]s it; [false]
    if there is no room for another one. *)

val take_over_finalisers : unit -> unit
(** [take_over_finalisers ()] gives the calling domain what domains that have ended left to
    finalise, after one of those above has. *)
