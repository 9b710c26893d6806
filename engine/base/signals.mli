(** Which signals threads of Drover's own take: none that has a handler of the program's. *)

val with_all_blocked : (unit -> 'a) -> 'a
(** [with_all_blocked f] is [f ()], with all signals blocked, also in the threads and domains that
    it makes. As [with_mask]. *)

val with_mask : int list -> (unit -> 'a) -> 'a
(** [with_mask mask f] is [f ()], with this mask. Handlers of signals that were blocked run when the
    mask is set, and may raise. So [f] is to keep what it makes. *)

val program_mask : unit -> int list
(** [program_mask ()] is the mask that the program has chosen for the calling thread. *)

val begin_worker : int list -> unit
(** [begin_worker mask]: the calling domain is a worker's, of a pool that was made by a thread with
    this mask. *)

val refresh : unit -> unit
(** [refresh ()], by workers now and then, blocks what has a handler now. *)

val look_afresh : unit -> unit
(** [look_afresh ()] looks which signals have handlers, for the domains that are made next. *)
