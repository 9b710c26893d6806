(** Promises: the outcomes of tasks, or of what the holder of a resolver does; see [Drover.Promise].
*)

type !'a t
(** The type for promises. *)

type 'a resolver = 'a t
(** The type for what settles one. *)

val create : unit -> 'a t * 'a resolver
val of_value : 'a -> 'a t
val fulfil : 'a resolver -> 'a -> unit
val fail : 'a resolver -> ?backtrace:Printexc.raw_backtrace -> exn -> unit
val try_fulfil : 'a resolver -> 'a -> bool
val try_fail : 'a resolver -> ?backtrace:Printexc.raw_backtrace -> exn -> bool
val is_settled : 'a t -> bool
val peek : 'a t -> ('a, exn * Printexc.raw_backtrace) result option

val await : 'a t -> 'a
(** [await p] is the value of [p], or raises its failure. Any thread: a task suspends, or begins the
    task of [p] on top of itself if nobody has; a thread blocks, or lends its domain to the pool.
    Raises [Cancelled] if the task is cancelled meanwhile. *)

val on_unawaited_failure : (exn -> Printexc.raw_backtrace -> unit) -> unit

(** {1 What follows from it} *)

val cell : 'a t -> ('a, Failure.t) result Ivar.t
(** [cell p] is filled with the outcome of [p]. *)

val team : 'a t -> Worker.team
(** [team p] is the team whose tasks settle [p], or that of [Worker.nobody]. *)

val settle_once : 'a t -> ('a, Failure.t) result -> unit
(** [settle_once p outcome] settles [p], unless it is settled. *)

val expect : 'a t -> unit
(** [expect p], by a caller that then sits at the cell of [p], has the failure of [p] count as
    awaited, even if the caller has stood up when it comes. *)

val mark : 'a t -> Failure.t -> unit
(** [mark p failure], by what settles [p] with [failure], counts that as awaited if it is expected.
*)

(** {1 Tasks} *)

val make : Worker.team -> 'a t
(** [make team] is settled by a task of [team]. *)

type group = {
  failed : Worker.team -> Token.t -> Failure.t -> unit;
      (** what the failure of one means; may be called again *)
  left : int Atomic.t;
      (** tasks that have not ended, and more until the owner has; once it is 0, nothing joins any
          more *)
  mutable own : int;  (** that the owner has started *)
  ended : unit Ivar.t;  (** filled by the last that ends *)
}
(** The type for tasks that something waits for. *)

val group : (Worker.team -> Token.t -> Failure.t -> unit) -> group
(** [group failed] has no tasks. Its owner has not ended. *)

val awaited : group
(** [awaited] is that of a task which is waited for by itself, and is not counted. *)

val count_own : group -> unit
(** [count_own group] is one more, for the owner, which has not ended. *)

val end_owner : group -> unit
(** [end_owner group] has the group end with its tasks. Once. No safepoint. *)

val count_up : group -> bool
(** [count_up group] is one more, for others; [false] if none is left. *)

val uncount : group -> unit
(** [uncount group] is one less, and wakes the waiter if none is left. *)

val count_down : group -> unit
(** [count_down group] is the first step of that. No safepoint. *)

val start_inside : Worker.t -> (unit -> 'a) -> 'a t
(** [start_inside w f] runs [f] as a task that goes its own way, started by the calling task, which
    [w] runs. If it fails and nobody awaits it, that is reported. Never waits. *)

val start_apart : Worker.team -> Context.t -> (unit -> 'a) -> 'a t option
(** [start_apart team parent f] is the same for a task of [team], from anywhere; [None] if that is
    closed to the caller. *)

val below : ?finally:(unit -> unit) -> Worker.team -> Context.t -> group -> (unit -> 'a) -> 'a t
(** [below team parent group f] is a promise for the value of [f ()], in a task of [team] that is
    cancelled with [parent]'s token and counts in [group], once it is counted there and
    {!start_counted}. The task ends with [finally ()], also if it is skipped; which does nothing if
    it is called again. *)

val start_counted : 'a t -> group -> urgent:bool -> bool
(** [start_counted p group ~urgent] starts the task of [p], which was counted in [group]; [false],
    and it counts no more, if its team is closed to the caller. Nor does it count where this raises
    what a signal's handler does, and the task was not started. *)

val job : 'a t -> Job.t
(** [job p] is that of its task, until that has ended. *)

val run_outside : Worker.team -> (unit -> 'a) -> 'a option
(** [run_outside team f] runs [f] as a task of [team], and waits for it in any case; [None] if
    [team] is closed. The caller is in no task. *)

val run_beside : Worker.team -> Context.t -> (unit -> 'a) -> 'a option
(** [run_beside team parent f] is the same for a task of another team, in the context [parent]. *)
