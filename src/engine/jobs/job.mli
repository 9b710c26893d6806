(** Jobs: pieces of work that some worker will run, at most once.

    A {e fork} is made by the worker whose stack it lies on, and joined by its maker, once. A
    {e task}, such as an [async], is a job that nobody joins, and brings its context itself: its
    body begins with [Admission.begin_task]. A {e rest} is what a task that was suspended has left
    to do, or one that was claimed and did not begin; it may be in deques and inboxes more than
    once.

    Nothing here waits. *)

(** The states of a job; see [job.ml] for the steps between them. *)
type 'a state =
  | Private  (** a fork that only its own worker knows *)
  | Public of 'a published  (** a fork that thieves may claim *)
  | Taken of 'a published  (** a fork that a thief runs *)
  | Awaited of 'a published * (unit -> unit)  (** [Taken], and the fork's join is suspended *)
  | Ended of 'a published
  | Gone  (** a fork that its maker has recalled *)
  | Ready  (** a task *)
  | Part  (** of a loop *)
  | Begun
  | Rest
  | Resumed

and 'a published = {
  context : Context.t;
  mutable taken : 'a state;  (** [Taken] of this *)
  mutable outcome : ('a, Failure.t) result;  (** before the step to [Ended]: its runner's *)
  mutable is_cause : bool;  (** its failure, for the token of its owner *)
}
(** The type for what a fork has from its publication on. *)

type 'a job = { mutable state : 'a state; [@atomic] mutable body : unit -> 'a }
(** The type for jobs. The [body] is for the worker that has claimed it. *)

(** The type for what deques and stacks hold. *)
type t = Job : 'a job -> t [@@unboxed]

val fork : (unit -> 'a) -> 'a job
(** [fork body] is Private. *)

val task : (unit -> 'a) -> t
(** [task body] is Ready. *)

val part : (unit -> unit) -> t
(** [part body] is Part. *)

val rest : (unit -> 'a) -> t
(** [rest body] is a Rest. *)

val none : t
(** [none] stands for a job that was there, so that nothing keeps that alive. *)

val state : 'a job -> 'a state
(** [state j] is what [j] is now. Any domain. *)

(** {1 For the worker that runs it} *)

val claim : 'a job -> bool
(** [claim j] is [true] for one caller, who runs [j]. Any domain. One step without a safepoint,
    which allocates nothing. *)

val is_claimable : t -> bool
(** [is_claimable j] is whether {!claim} would succeed, if nobody were faster. *)

val is_apart : t -> bool
(** [is_apart j] is whether [j] is neither a fork nor a part of a loop, and nobody has begun it. *)

val is_ready : 'a job -> bool
(** [is_ready job] is whether [job] is a task that nobody has begun. *)

val is_begun : t -> bool
(** [is_begun j] is whether [j] is a task that was claimed. *)

val forget_body : 'a job -> unit
(** [forget_body j], by its runner: a deque's slot may refer to the job for long. No safepoint. *)

val published_of : 'a job -> 'a published
(** [published_of j] is what the published fork [j] has. *)

val let_go : Token.t -> ('a, Failure.t) result -> ('a, Failure.t) result
(** [let_go token outcome] is the outcome of the code of [token], which has ended: a failure, if it
    still held something, which is given back. *)

val conclude : 'a job -> ('a, Failure.t) result -> unit
(** [conclude j outcome] ends the claimed fork [j], whose code has come to its end. *)

val skip : 'a job -> unit
(** [skip j] ends the claimed fork [j], which was cancelled before it started. *)

(** {1 For its owner, which joins it} *)

val is_private : 'a job -> bool
(** [is_private j] is whether [j] is not published. For its worker's domain only. One step. *)

val public : Context.t -> 'a state
(** [public context] is what {!publish} makes a fork. *)

val publish : 'a job -> 'a state -> bool
(** [publish j public] makes [j] [public], which is a fresh one; [false] if it was not Private. By
    the worker that has it on its stack. One step. *)

val recall : 'a job -> bool
(** [recall j] is [true] if nobody has begun [j], and nobody will. One step. *)

val is_gone : 'a job -> bool
(** [is_gone j] is whether that was so. *)

val cancel : 'a job -> exn -> unit
(** [cancel j exn] cancels the claimed fork [j], if it has not ended, because [exn] was raised. *)

val on_end : 'a job -> (unit -> unit) -> unit
(** [on_end j k] calls [k] when the claimed [j] has ended; at once, if it has. Called again, it
    gives up the [k] of before. *)

val no_outcome : ('a, Failure.t) result
(** [no_outcome] stands for an outcome that is not there. *)

val has_ended : 'a job -> bool
(** [has_ended j] is whether the claimed fork [j] has come to its end. Never waits. *)

val result : 'a job -> ('a, Failure.t) result option
(** [result j] is the outcome of [j], if it has ended; [j] forgets it, and has [no_outcome] from
    then on; and its failure is no cause for the caller any more, who has come to the join. *)
