(** Monotonic time. *)

val now_ns : unit -> int
(** [now_ns ()] is the monotonic clock, in nanoseconds since the program began. Any domain. *)

val time : (unit -> 'a) -> 'a * float
(** [time f] is [f ()] and the seconds it took. *)

val spin_until : (unit -> bool) -> unit
(** [spin_until c] returns once [c ()] holds, and burns its processor meanwhile. *)

val spin_ns : int -> unit
(** [spin_ns n] returns after [n] nanoseconds, and burns its processor meanwhile. *)
