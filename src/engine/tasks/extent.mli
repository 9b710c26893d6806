(** Extents: code that runs in a context of its own, as the body of a scope does.

    The context follows the code. An effect of the user's that is handled outside of the extent
    takes the code along: when the handler runs, the context is the one around the extent again, and
    when the continuation is resumed, wherever that is, the context is made anew, of that there. *)

val within : (Context.t -> Context.t) -> (unit -> 'a) -> 'a
(** [within change f] is [f ()], in the context that [change] makes of the caller's, and of that
    around each resumption. In a thread without a task, which has no context, it is [f ()]. Raises
    what [f] does. *)

val protect : (unit -> 'a) -> 'a
(** [protect f] is [f ()], out of reach of a cancellation. *)
