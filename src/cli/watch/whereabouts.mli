(** Where each domain stands, also one that ran before anybody listened. *)

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

val restate : t -> at:int -> Event.listener -> unit
(** [restate t ~at listen] tells [listen] all that is open, as if it began at [at]: the pools, which
    worker a domain is, and what it is in; or [Unknown Begin]. *)

val knows_drover : t -> bool
(** [knows_drover t] is whether any event was Drover's. *)

(** {1 Now} *)

type place =
  | Unknown
  | In_task of string option  (** with the innermost name that it has begun *)
  | Parked
  | Stands_by  (** as other programs have the processors *)
  | Searches  (** or goes from one task to the next *)

(** The type for what a worker's domain is in. *)

type standing = {
  ring : int;
  place : place;
  since : int option;  (** since when, if it is in a task or parked *)
  is_exact : bool;  (** or it was there even before *)
}

val standing : t -> int -> standing
(** [standing t ring] is where the domain of [ring] stands, as of the last event. *)
