(** Initialisation that runs once, in whichever task or thread comes first. *)

type t
(** The type for actions that are done once. *)

val create : unit -> t
(** [create ()] is an action that has not been done. *)

val run : t -> (unit -> unit) -> unit
(** [run o f] calls [f] if [o] is not done; then [o] is done. Suspends or blocks while another
    caller does it. If [f] raises, [run] raises its exception with its backtrace, and the next
    caller tries. Raises [Invalid_argument] if [f] itself runs [o]. Tasks that [f] waits for must
    not run [o] either: they would wait for ever. Once [o] is done, [run] is a load. *)

val is_done : t -> bool
(** [is_done o] is [true] iff [o] is done. Never waits. *)
