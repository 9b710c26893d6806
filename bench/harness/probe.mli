(** Small measurements of one property of the library each, beside the kernels. *)

(** What the library promises. *)
type goal = At_most of float | At_least of float

type figure = { label : string; value : float; unit_ : string; goal : goal option }
(** The type for figures. *)

type settings = { size : Kernel.size; plan : Measure.plan }
(** The type for what the user chose. *)

type t = { name : string; doc : string; run : settings -> figure list }
(** The type for probes. [run] is to be called from the main domain, outside any pool. *)

type outcome = { probe : string; about : string; figures : figure list }
(** The type for what a probe found. *)

val figure : ?goal:goal -> string -> string -> float -> figure
(** [figure label unit_ value] is that figure. *)

val ratio : ?goal:goal -> string -> float -> float -> figure
(** [ratio label a b] is the figure [a /. b]. *)

val met : figure -> bool option
(** [met f] tells whether [f] is what was promised, if anything was. *)

val run : settings -> t -> outcome
(** [run settings probe] is what [probe] finds. *)
