(** Headcounts: how many tasks have not ended that something waits for. *)

type t
(** The type for headcounts. *)

val create : unit -> t
(** [create ()] has one inside. *)

val none : t
(** [none] stands for the absence of one. *)

val enter : t -> bool
(** [enter h] is one more inside; [false] if nobody is. Any thread. *)

val count_down : t -> unit
(** [count_down h] is one less; {!look} is to follow. No safepoint. *)

val look : t -> unit
(** [look h] lets go who waits, if nobody is inside. May be called again. *)

val leave : t -> unit
(** [leave h] is both. *)

val is_over : t -> bool
(** [is_over h] is whether nobody is inside; then it stays so. *)

val await : t -> cancel:(exn -> unit) -> unit
(** [await h ~cancel], in a task, waits in any case until nobody is inside; it calls [cancel] if the
    calling task is cancelled. *)
