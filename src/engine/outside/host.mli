(** Hosts: schedulers of other libraries, such as Eio's, one of whose fibers calls Drover outside
    any task. Such a caller waits as the host's fibers do, so the others go on; a plain thread
    blocks.

    A host has installed by domain-local-await how its fibers wait. This need not be for the caller:
    it is there for all threads of a domain, and also for what interrupts a fiber, such as a
    finaliser, which cannot suspend. These block as plain threads do. *)

type caller =
  | Fiber
  | Thread
      (** The type for how a caller waits that is in no task: as a host's fiber, or on its thread.
      *)

val caller : unit -> caller
(** [caller ()] is how the calling thread's code waits now, as far as hosts say. From outside of
    tasks. Never waits. May raise what the host does if the fiber is cancelled. *)

val is_here : unit -> bool
(** [is_here ()] is [caller () = Fiber]. *)

val park : caller -> Parker.t -> unit
(** [park caller p] waits until [p] has a token, and takes it. Raises what a signal's handler does,
    and for a fiber what its host does when it is cancelled, before or meanwhile: then each wait
    raises again. *)

val set_trigger_of_tasks : Domain_local_await.t -> unit
(** [set_trigger_of_tasks t] says what a task waits with, which is no host's. To be called once,
    when the program starts. *)
