(** Frames: whether a call lies on the stack of the code that asks.

    A call that joins what it has started needs that afterwards, so its frame holds it all the time.
    But an effect handler of the user's may have taken the frame away, as a generator does that is
    paused, and no handler of ours sees that: a fork has none, as that would cost more than the
    fork. So we look at the stack itself. *)

external holds : 'a -> bool = "drover_frame_holds"
(** [holds v] is whether a frame below the caller's still needs [v], a block in the heap: on the
    stack of the caller's fiber (of OCaml's), or of those that it lies on. Work: linear in their
    size. *)
