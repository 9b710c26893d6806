(** The timers and the descriptors that tasks wait for, and who is parked for them; see [Poller].

    A call is taken out by whoever makes it. It is made once, or again if something raised in the
    middle; so it must be idempotent, and not wait. Any thread. *)

module By_time : Map.S with type key = float * int

type timer = By_time.key
(** The type for timers: when, and a number. *)

type watch = { descriptor : Unix.file_descr; for_writing : bool; ready : unit -> unit }
(** The type for what waits for a descriptor. *)

type thread = {
  bell : Bell.t;
  domain : Domain.id;
  process : int;
  mutable passes_on : bool;  (** its domain is about to end *)
}
(** The type for the thread of the poller. It goes when it finds that it is not the one in
    {!val-state}. A child of [Unix.fork] has none. *)

type state = {
  timers : (unit -> unit) By_time.t;
  watches : watch list;
  thread : thread option;
  alarm : float;  (** when the thread wakes up by itself; {!awake} while it is awake *)
  kept_until : float;  (** the same for the keeper; [awake] also if there is none *)
}
(** The type for all that is waited for. *)

val awake : float
(** [awake] is before any time. *)

val state : state Atomic.t
(** [state] is what is waited for now. *)

val update : (state -> state) -> state
(** [update step] makes a step, and is the state before. Lock-free; no safepoint follows the step.
*)

val has_nothing : state -> bool
(** [has_nothing s] is whether nothing is waited for. *)

val next_time : state -> float
(** [next_time s] is that of the first timer, or [infinity]. *)

(** {1 To serve} *)

val serve_timers : float -> unit
(** [serve_timers now] makes the calls that are due. *)

val look_at : watch list -> unit
(** [look_at watches] makes the calls of those that are ready. Does not wait. *)

val park : Bell.t -> until:float -> watch list -> unit
(** [park bell ~until watches] blocks until then, a ring, or one of [watches] is ready, whose call
    it makes. Raises what a signal's handler does. *)
