(** The descriptors that are waited for. Any thread; nothing waits, but {!park}. *)

type t = { descriptor : Unix.file_descr; for_writing : bool; ready : unit -> unit }
(** The type for what waits for a descriptor. [ready] is called once when one can read from it, or
    write to it, without waiting, or when it is closed; it must not raise or wait. *)

val add : t -> unit
(** [add w] is to be followed by a ring of the bell of who looks at them. *)

val remove : t -> unit
(** [remove w] forgets it: no call is made, if it is not too late. *)

val are_there : unit -> bool
(** [are_there ()] is whether there are some. *)

val look : unit -> unit
(** [look ()] makes the calls of those that are ready. *)

val park : Bell.t -> until:float -> unit
(** [park bell ~until] parks until then, a ring, or one of them is ready, whose call it makes.
    Raises what a signal's handler does. *)
