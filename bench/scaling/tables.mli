(** Tables of how programs scale. *)

open Drover_show

val speed_ups : title:string -> Study.t list -> Table.t
(** [speed_ups ~title studies] has a row for each program, and a column for each number of
    processors; and what most of the workers' time went to on the most processors, beside the
    program's own work. Of several estimates a cell has the lowest and the highest speed-up. *)

val time : Study.t -> Table.t
(** [time study] is what the workers' time went to, and how often they did what, on each number of
    processors. *)

val lines : Study.t -> Table.t
(** [lines study] is the lines that cost most, with the part of the workers' time that each took. *)

val failures : Study.t -> string list
(** [failures study] says of each run that was wrong, or had no end, why. *)
