(** What orders strands beside forks, loops and promises: structures by which some tell others that
    they have come so far. Each is known by its block. *)

val is_recording : bool ref
(** [is_recording] is whether anything is side by side. Else nothing can race. *)

val give : Address.block -> unit
(** [give b]: what the current strand has done is known to who takes from [b] later. *)

val give_mark : Address.block -> Order.mark -> unit
(** [give_mark b m]: so is what is known at [m]. *)

val take : Address.block -> unit
(** [take b]: the current strand knows what was given to [b]. *)

val send : Address.block -> unit
(** [send b] is the next message by [b]: what the current strand has done is known to who receives
    it. *)

val receive : Address.block -> unit
(** [receive b] is the next message that is received. *)

val offer : Address.block -> unit
(** [offer b]: the current strand may send a message by [b] from now on, or others may do so first.
*)

val now : unit -> Order.mark option
(** [now ()] is what the current strand has done, for who gets that by no structure. *)

val learn : Order.mark -> unit
(** [learn m]: the current strand knows what was done at [m]. Another schedule might have another.
*)

val lock : Address.block -> unit
(** [lock b]: the current strand holds the lock [b]. *)

val unlock : Address.block -> unit
(** [unlock b]: it does not any more. *)

val keep_lock : Address.block -> unit
(** [keep_lock b]: the current strand holds the lock [b] from now on to its end. *)

val with_lock : Address.block -> ('a -> 'b) -> 'a -> 'b
(** [with_lock b f x] is [f x], with the lock [b]. *)

val forget : unit -> unit
(** [forget ()]: all that comes now comes after all that was given and sent. *)
