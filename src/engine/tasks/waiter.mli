(** Waiters: one wait of a task or a thread, which somebody ends, once.

    The waiting task or thread makes a waiter, registers it where its waker will find it, and only
    then is suspended, with one step; not if the wait has ended by then. *)

(** The states of a waiter. *)
type state = Running | Suspended | Parked of Parker.t | Woken | Interrupted

type t = {
  mutable state : state; [@atomic]
  mutable k : (unit, unit) Effect.Deep.continuation;  (** the rest of the task *)
  context : Context.t;
  team : Worker.team;
  number : int;  (** of the wait: see [Events] *)
  mutable here : Hooks.mark;  (** where the task is suspended *)
  mutable waker : Hooks.mark;
  mutable is_urgent : bool;  (** others wait for what the task is woken for *)
}
(** The type for waiters. *)

val of_task : Worker.t -> t
(** [of_task w] is for the task that [w] runs, which is not suspended yet. *)

val of_thread : unit -> t
(** [of_thread ()] is for a thread outside of any task, or a callback that cannot suspend. *)

val state : t -> state
(** [state t] is what [t] is now. Any domain. *)

val is_over : t -> bool
(** [is_over t] is whether the wait has ended. Then it stays so. Any domain. *)

val hurry : t -> unit
(** [hurry t] has the task go on before all other work of its pool when it is woken. For the waiting
    task, before. *)

(** {1 To be suspended}

    See {!Wait}, and {!Task} for the handler. *)

type _ Effect.t +=
  | Suspend : t -> unit Effect.t
  | Go_on : unit Effect.t  (** does nothing *)
  | Never : unit Effect.t  (** has no handler *)

val is_own : 'a Effect.t -> bool
(** [is_own eff] is whether [eff] is one of these, which are handled by the task. *)

val suspend : t -> (unit, unit) Effect.Deep.continuation -> bool
(** [suspend t k], in the handler of the task, is [true] if its rest [k] is kept until the wait
    ends; [false] if that is over already. No safepoint. *)

val park : t -> Parker.t -> bool
(** [park t parker] is [true] if the end of the wait will wake [parker]; [false] if it is over. *)

val has_stayed : t -> bool
(** [has_stayed t], when the task goes on, is whether it was not suspended after all. *)

(** {1 To end the wait}

    Any thread of any domain; neither waits. *)

val wake : t -> bool
(** [wake t] ends the wait, and is [true]; or is [false] if it has ended already. *)

val rest : t -> Job.t
(** [rest t] is a job that goes on with the task of [t], which is to wait for nothing else. *)

val interrupt : t -> unit
(** [interrupt t] ends the wait, unless it has ended already; the task sees that it was cancelled.
*)
