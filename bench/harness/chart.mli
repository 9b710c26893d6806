(** Many outcomes in one picture. *)

val speedups : machine:string -> Outcome.t list -> Drover_show.Picture.t option
(** [speedups ~machine outcomes] has a row of two dots for each outcome: how much faster than the
    serial program Drover and Domainslib are on the most domains, the fastest on top; with whiskers
    between which the middle half of the samples lie. [None] if there is but one domain. *)
