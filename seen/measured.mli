(** What a profile comes to, of a function or of a whole program. One measurement at a time. *)

type site = { place : string; calls : int; work : float; span : float }
(** The type for what was spent in what one place starts; see [Scalability]. *)

type t = { work : float; span : float; burdened_span : float; sites : site list }
(** The type for measurements. *)

val outermost : string
(** [outermost] is the place of what is in no fork, loop or task. *)

val default_steal : float
(** [default_steal] is what it takes to wake a sleeping worker, in seconds. *)

type turn
(** The type for a measurement's turn, and what was there before it. *)

val turn : unit -> turn
(** [turn ()] has not come yet. *)

val enter : turn -> bool
(** [enter turn] is whether it is this one's turn now, unless a measurement is in progress. *)

val leave : turn -> unit
(** [leave turn] brings back what was there before, if it was its turn. *)

val begin_ : clock:(unit -> int) -> steal:float -> unit
(** [begin_ ~clock ~steal] begins a measurement; from now on pools have one worker. *)

val result : Profile.stamp -> t
(** [result last] is what was measured; [last] is where the measured code has ended. *)

val follow_environment : unit -> unit
(** [follow_environment ()], when the program begins, does what the command [drover scale] asks for:
    measures the whole program, or sets how many workers pools have. *)
