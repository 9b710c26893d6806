(** Code that a cancellation interrupts at its next safepoint: [Drover.Scope.interruptible] and
    [bracket]. Any thread; one outside the pools waits for a task of the default pool. *)

val interruptible : (unit -> 'a) -> 'a
(** [interruptible f] is [f ()], which is such code. *)

val allow : Context.t -> Context.t
(** [allow context] is [context] of such code. *)

val during : (unit -> 'a) -> 'a
(** [during f] is [f ()], which runs such code. In a task. *)

val bracket : acquire:(unit -> 'a) -> release:('a -> unit) -> ('a -> 'b) -> 'b
(** [bracket ~acquire ~release f] is [f (acquire ())], and [release]s what was acquired, in any
    case: both out of reach of any cancellation. *)
