(** The order of what a program does: which of it is before, and which side by side in some
    schedule.

    All of it is for the one domain on which a program is checked. *)

type way = { call : int; above : way option }
(** The type for ways to a strand: the site of the call that began it (see [Sites]), and the way to
    the strand that made that call. *)

type mark
(** The type for what is known somewhere. *)

type lock = { number : int; since : int; released : mark option ref }
(** The type for locks that are held, since an epoch; with what is known to all that have released
    it, which they share. *)

type context = { way : way option; locks : lock list }
(** The type for what a report says of a strand, and the locks that it holds. *)

type strand = private {
  mutable unknown : Unknown.t;  (** the epochs so far that are side by side with it *)
  mutable context : context;
  first : int;  (** its first epoch *)
  at_first : Unknown.t;
  mutable paused_at : int;
}
(** The type for strands: what runs in turn, of a task, a side of a fork, or an iteration of a loop.
*)

val is_of_all : bool ref
(** [is_of_all] is whether what the program has done so far it does on every schedule: whether no
    lock, message or atomic has decided anything. *)

val now : int ref
(** [now] is the present epoch. *)

val used : int ref
(** [used] is the latest epoch in which anything was accessed. *)

val current : strand ref
(** [current] is the strand that runs, or {!nobody}. *)

val nobody : strand
(** [nobody] runs where the scheduler does. *)

val is_current : unit -> bool
(** [is_current ()] is whether a strand runs. *)

val main : unit -> strand
(** [main ()] is the strand of the main program. *)

val knows_all : unit -> bool
(** [knows_all ()] is whether all that was before is known to the current strand. *)

val call_from : int -> way option
(** [call_from site] is the way to what the current strand begins there. *)

val hold : lock list -> unit
(** [hold locks]: from now on the current strand holds [locks]. *)

(** {1 What others learn} *)

val mark : unit -> mark
(** [mark ()] is what the current strand knows, and all that it has done. *)

val both : mark -> mark -> mark
(** [both a b] is what is known where both are. *)

val learn : mark -> unit
(** [learn m]: the current strand goes on after [m]. *)

val learn_all : unit -> unit
(** [learn_all ()]: the current strand goes on after all that was. *)

(** {1 Strands begin, pause and go on} *)

val begin_task : mark -> way option -> strand
(** [begin_task m way] is the strand of a task that was started at [m]. *)

val stand_for : strand -> unit
(** [stand_for s]: the current strand, which has just begun, does what [s] would do, which has
    paused until it has ended. *)

val pause : unit -> strand
(** [pause ()] is the current strand, which pauses: then it is {!nobody}. *)

val go_on : strand -> unit
(** [go_on s]: [s], which has paused, is the current strand again. *)

val run : strand -> (unit -> 'a) -> 'a
(** [run s f] is [f ()] with [s] as the current strand, and then {!nobody}. *)

(** {1 Forks and loops} *)

type group
(** The type for strands that are side by side. *)

val split : int -> group
(** [split site] is what the current strand begins with a call at [site]. *)

val member : group -> strand
(** [member g] is a new strand of [g]. *)

val ended : group -> strand -> unit
(** [ended g s]: [s], of [g], has ended. *)

val join : group -> strand -> unit
(** [join g s]: [s] has split and goes on, as the current strand, after all that have ended. *)
