(** Where each domain stands that ran before anybody listened. *)

type t

val create : start:int -> Event.listener -> t
(** [create ~start listen] is for who begins to listen at [start]. *)

val recall : t -> (Event.listener -> lost:(ring:int -> int -> unit) -> unit) -> unit
(** [recall t read] has [read] read what the rings hold. Of what is from before [start] [listen]
    hears only what it has led to, as if it began at [start]: which worker a domain is, and what it
    is in; or [Unknown Begin]. Behind that it hears what is from after [start]. *)

val hear : t -> Event.listener
(** [hear t] is [listen] for what comes later. Where a domain was unknown, [Unknown End] comes
    before the first event that says where it stands, which others may say of it. *)

val lose : t -> ring:int -> unit
(** [lose t ~ring] is for events of [ring] that were lost: [Unknown Begin]. *)

val knows_drover : t -> bool
(** [knows_drover t] is whether any event was Drover's. *)
