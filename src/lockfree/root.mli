(** The root of a structure of which others take the place, in a cell.

    Single operations replace it by themselves; a batch closes the cell while it is at work, so that
    it may take long, and change in place what it alone can have. *)

type 'a t
(** The type for cells with a root of type ['a]. Roots are told apart by their identity. *)

val create : constant:'a -> copy:('a -> 'a) -> 'a -> 'a t
(** [create ~constant ~copy root] holds [root]. [copy r] is the same structure in another block,
    unless [r] is [constant]; only a batch replaces that. *)

val get : 'a t -> 'a
(** [get t] is the root, which a batch may be changing. Any domain. Never waits. *)

type answer = Same | Replaced | Refused

val replace : 'a t -> ('a -> 'a) -> answer
(** [replace t f] puts [f] of the root in its place, if that is another root. [f] may be called
    several times, and changes nothing. It may see a root that a batch is changing: then what comes
    of it counts only if it leaves the root as it is, and an [Assert_failure] of it does not count.
    [Refused] if a batch is at work, if others were faster several times, or if the root is the
    constant. Any domain. Lock-free; [f] may wait. *)

val closing : 'a t -> ('a -> keep:('a -> unit) -> 'b) -> 'b
(** [closing t f] is [f root ~keep], which may [keep] what takes the place of [root] when it returns
    or raises. Meanwhile nobody replaces the root. One caller at a time. *)
