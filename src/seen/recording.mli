(** What a program did while it was measured, to be run again elsewhere: a tree of sequences of
    work, forks, loops, tasks that start, and waits (see {!Profile}, which calls all this). It is of
    bounded size, whatever the program does. *)

type sequence
(** The type for what runs one after the other. Each is written by one strand at a time. *)

val nowhere : sequence
(** [nowhere] is where nothing is recorded: all functions do nothing there. *)

val begin_ : unit -> sequence
(** [begin_ ()] is the beginning of a program. What was recorded before is forgotten. *)

val work : sequence -> ns:int -> words:int -> unit
(** [work seq ~ns ~words] adds a strand that took [ns] nanoseconds, and allocated [words]. *)

val words : sequence -> int
(** [words seq] are the words of the strands of [seq] itself. *)

(** {1 Forks and tasks} *)

val fork : sequence -> sequence * sequence
(** [fork seq] adds a fork, and is its two sides. *)

val end_fork : sequence -> sequence -> sequence -> unit
(** [end_fork seq left right]: both sides of the fork in [seq] have ended. *)

val task : sequence -> sequence
(** [task seq] is what a task does that starts here. *)

(** {1 Loops} *)

type loop
(** The type for loops. *)

val loop : sequence -> loop
(** [loop seq] adds a loop. *)

val steps : loop -> int -> ns:int -> words:int -> unit
(** [steps l n ~ns ~words] adds [n] iterations which are one strand together. *)

val iteration : loop -> sequence
(** [iteration l] is what an iteration does that may be more than a strand. *)

val split_steps : loop -> sequence -> int -> ns:int -> unit
(** [split_steps l seq n ~ns]: of the first strand of [seq], [ns] are those of [n] iterations before
    it. *)

val end_iteration : loop -> sequence -> unit
(** [end_iteration l seq] adds an iteration that has done [seq]. *)

val end_steps : loop -> sequence -> int -> unit
(** [end_steps l seq n]: what is in [seq] was no iteration, but the strand of [n] of them. *)

val end_loop : sequence -> loop -> unit
(** [end_loop seq l]: the loop in [seq] has ended. *)

(** {1 Waits} *)

type event
(** The type for what others wait for. *)

val no_event : event
(** [no_event] is where nobody listens. *)

val signal : sequence -> event
(** [signal seq] is the end of [seq] so far. *)

val wait : sequence -> event -> unit
(** [wait seq e]: what comes next in [seq] has waited for [e]. *)

(** {1 The result} *)

val write : out_channel -> sequence -> unit
(** [write oc seq] writes what began with [seq]. *)
