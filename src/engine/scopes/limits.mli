(** Limits of what a scope may take, and code that a cancellation interrupts: what [Drover.Scope]
    has besides {!Scope}. *)

(** {1 Interruption} *)

val interruptible : (unit -> 'a) -> 'a
(** [interruptible f] is [f ()], which is such code. *)

val bracket : acquire:(unit -> 'a) -> release:('a -> unit) -> ('a -> 'b) -> 'b
(** [bracket ~acquire ~release f] is [f (acquire ())], and [release]s what was acquired, in any
    case: both out of reach of any cancellation. *)

(** {1 Time} *)

exception Timeout

val with_timeout : float -> (unit -> 'a) -> 'a
(** [with_timeout seconds f] is [f ()], in such a scope. What has returned when the time is up is
    the result. Suspends until all that it starts has ended. Raises {!exception-Timeout}. *)

val with_deadline : float -> (unit -> 'a) -> 'a
(** [with_deadline time f] is the same with a time of day. *)

(** {1 Memory} *)

type limit = Account.limit = Heap of int | Allocated of int

exception Exceeded of { limit : limit; used : int }

val limited : ?timeout:float -> ?heap:int -> ?allocated:int -> (unit -> 'a) -> 'a
(** [limited f] is [f ()], in such a scope. Suspends until all that it starts has ended. Raises
    [Timeout], {!Exceeded}, or [Invalid_argument] if a limit makes no sense. *)

val limited_result :
  ?timeout:float -> ?heap:int -> ?allocated:int -> (unit -> 'a) -> ('a, exn * 'a option) result
(** [limited_result f] is the same, with the limit that was reached, and what [f] returned all the
    same. *)
