(** Immutable values that domains share, and change by compare-and-set.

    Any domain; nothing waits. A change is one step, which no safepoint follows here; what it is
    made of may be called more than once before. *)

val update : 'a Atomic.t -> ('a -> 'a) -> 'a
(** [update cell step] makes [cell] what [step] makes of it, and is what it was before. *)

val change : 'a Atomic.t -> ('a -> 'a) -> unit
(** [change cell step] is [update cell step], without a result. *)

val push : 'a list Atomic.t -> 'a -> unit
(** [push cell x] puts [x] in front of the items of [cell]. *)

val has_turn : int Atomic.t -> pause:int -> float -> bool
(** [has_turn next ~pause now] is whether the caller is the first to come at the time [next], or
    later. Then [next] is [pause] from [now]. In microseconds, but [now] in seconds. *)

(** Immutable lists of what ends some day. Those that have ended are cleared away when the list has
    doubled since it was last cleared, so it has at most twice as many as there are. *)
module Register : sig
  type 'a t = private { members : 'a list; length : int; cleared_at : int }
  (** The type for registers. [members] are the newest first; some may have ended. *)

  val empty : 'a t
  (** [empty] has no members. *)

  val add : still:('a -> bool) -> 'a t -> 'a -> 'a t
  (** [add ~still r x] is [r] with [x]; [still] is whether a member has not ended. Amortised O(1).
  *)
end

(** {1 For those who share them} *)

val insist : ('a -> unit) -> 'a -> unit
(** [insist f x] is [f x], which others wait for, and which raises nothing itself. If the handler of
    a signal on the main thread raises meanwhile, it is called again, until it has come to its end,
    before the first such exception goes on: [f] bears that. Where the stack has not room enough, it
    is called again on a new one, and nothing is raised.

    [f] is to be there before: where a closure is allocated for it between an end and this call, a
    handler may raise there. *)

val on_new_stack : ('a -> 'b) -> 'a -> 'b
(** [on_new_stack f x] is [f x] on a stack of its own, of which the caller's is the rest. *)

val pause : int -> unit
(** [pause n], for a caller that was overtaken, relaxes the processor [n] times, each for about as
    long as a cache line travels. *)

val back_off : int -> int
(** [back_off n], for a caller whose step another has overtaken, pauses [n], and is how long it is
    to pause the next time: twice as long, up to a limit. So however many compete, most of the steps
    they make come off. *)
