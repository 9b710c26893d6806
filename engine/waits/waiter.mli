(** Waiters: one wait of a task or a thread, in two halves.

    Whoever waits makes a waiter, puts it where those look who may end the wait, and only then is
    suspended, with one step; not if the wait has ended by then. So all that may raise comes before,
    in the code of whoever waits. It may be roused in between, to look whether it is to wait on, and
    is suspended again.

    The wait is ended in two halves too: the {!claim} is one step (see [Critical]), and whoever
    makes it {!resume}s what was suspended. To resume twice does no harm, to forget it would: so the
    second half is finished in any case. *)

type fiber = {
  context : Context.t;
  team : Worker.team;
  wait : int;  (** its number: see [Events] *)
  mutable here : Hooks.mark;
  mutable waker : Hooks.mark;
  mutable k : (unit, unit) Effect.Deep.continuation;
}
(** The type for tasks that are suspended, on their own stack [k]. *)

(** The states of a waiter. *)
type state =
  | Running
  | Task of { fiber : fiber; rest : Job.t }
  | Thread of Parker.t
  | Roused
  | Woken
  | Interrupted

type t
(** The type for waiters. *)

val create : unit -> t
(** [create ()] is awake. *)

val state : t -> state
(** [state t] is what [t] is now. Any domain. *)

val is_over : t -> bool
(** [is_over t] is whether the wait has ended. Then it stays so. Any domain. *)

val hurry : t -> unit
(** [hurry t] makes a task go on before all other work of its pool when it is woken. To be called by
    whoever waits, before. *)

val suspend : t -> state -> bool
(** [suspend t suspended] is [true] if [t] is [suspended] now, a [Task] or [Thread]; [false] if the
    wait is over, or was roused: then the caller goes on at once. One step, which allocates nothing.
*)

val rearm : t -> bool
(** [rearm t] makes [t] Running again, which was roused and may be suspended once more; [false] if
    it was not roused, or the wait is over. For whoever waits. *)

(** {1 To end the wait}

    Any thread of any domain; none of these waits. *)

val wake : t -> bool
(** [wake t] ends the wait, and is [true], or is [false] if it has ended already. What a callback
    raises comes out of it when it has come to its end. *)

val interrupt : t -> unit
(** [interrupt t] is the same, for a cancellation. *)

val rouse : t -> unit
(** [rouse t] has whoever waits go on and {!rearm}, unless the wait is over. *)

val claim : t -> bool
(** [claim t] is the first half of [wake t]. *)

val resume : t -> unit
(** [resume t] is the second, for whoever has claimed [t]. May be called again. *)

val is_of : Worker.team -> t -> bool
(** [is_of team t] is whether [t], which was claimed, is a task of [team]. *)
