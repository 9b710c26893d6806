(** Bundles: the elements of a sequence that one task carries. A task costs some microseconds, so
    where elements cost less, it carries as many as take some thirty; and one where they take long.

    For one consumer, which is in a task or outside of any. *)

type ('a, 'b, 'slot) t
(** The type for what starts tasks for elements ['a], whose results ['b] are put into ['slot]. *)

val create :
  most:int -> ('a -> 'b) -> settle:('slot -> ('b, Failure.t) result -> unit) -> ('a, 'b, 'slot) t
(** [create ~most f ~settle] calls [settle slot outcome] for each element, by the task that has
    called [f]. A slot may be settled again, with the failure of its task; that does nothing.
    [most], if it is positive, is the most elements in a bundle. *)

val length : ('a, 'b, 'slot) t -> int
(** [length b] is how many elements the next bundle is to have. *)

type ('a, 'slot) element
(** The type for elements that have a task. *)

val slot : ('a, 'slot) element -> 'slot
(** [slot e] is that of [e]. *)

val start_next :
  ('a, 'b, 'slot) t ->
  pull:(unit -> 'a option) ->
  slot:(Worker.team -> 'slot) ->
  ('a, 'slot) element array
(** [start_next b ~pull ~slot] starts a task for elements that [pull] gives, which raises nothing,
    and is them; empty if there is none. [slot team] is called for each when it has been pulled; its
    task is one of [team]. Waits if [pull] does. *)
