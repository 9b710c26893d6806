(** The steps of a loop that is measured: its iterations, and what combines their results. Each
    counts as a strand, and those that are shorter than a look at the clock are timed together. *)

type t
(** The type for loops. Each is of the strands that call it; others may come in between. *)

val create : Strand.stamp -> t
(** [create from] is a loop all of whose iterations begin at [from]. *)

val step : t -> combines:int -> (unit -> 'a) -> 'a
(** [step l ~combines f] is [f ()], a step of [l]; [combines] is 1 if it combines two results, or
    else 0. *)

val finish : t -> Strand.stamp
(** [finish l]: all steps of [l] have ended. It is the end of the longest iteration. *)

val recorded : t -> Recording.loop
(** [recorded l] is what [l] is in the recording. *)

val iterations : t -> int
(** [iterations l] is how many there were. *)

val in_turn : t -> int
(** [in_turn l] is the time of all steps, burdened, one after the other. *)

val combining : t -> depth:int -> int
(** [combining l ~depth] is the time to combine results so many times. *)

val calibrate : Strand.stamp -> unit
(** [calibrate origin] measures what it costs to time steps in which nothing happens. *)
