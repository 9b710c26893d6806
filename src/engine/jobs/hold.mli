(** Holds: what a task must give back before it ends, as a mutex.

    A hold knows its holder by number, so that to take and to give back costs a plain store each. A
    task remembers what it was about to take, newest first. *)

type t = {
  name : string;
  mutable holder : int;
      (** {!nobody}, or the task or (below 0) the thread that has written its own number there *)
  release : unit -> unit;  (** gives it back, for a task that has ended *)
}
(** The type for holds. *)

val nobody : int
(** [nobody] is no holder. *)

val give_back : t -> unit
(** [give_back h], before [h] is given back: so that the next holder's number stays. *)
