(** Measures a kernel: every version on every number of domains, in rounds, so that a noisy moment
    of the machine hits all versions alike. *)

type plan = {
  domains : int list;
  runs : int;  (** samples of each version *)
  enough_seconds : float;  (** a kernel that took so long gets no further samples, beyond three *)
  minor_heap_words : int option;  (** of every domain; default: what each version chooses *)
  warm_up_seconds : float;
      (** runs on a fresh pool that do not count: at least one, until they have taken this long *)
  sample_seconds : float;  (** a sample repeats a run until it lasts about that long *)
  brief : bool;  (** leaves out rivals, and the pauses of the garbage collector *)
}
(** The type for how to measure. *)

exception Wrong_result of string
(** Raised when a version does not agree with the reference; says which one, and how. *)

val kernel :
  plan ->
  progress:(string -> unit) ->
  name:string ->
  Kernel.problem ->
  Outcome.t * (string * string) option
(** [kernel plan ~progress ~name problem] is what was measured, and a picture of the result if there
    is one. [progress] is told what is running. To be called from the main domain, outside any pool.
    @raise Wrong_result when a version's result does not pass the problem's check. *)
