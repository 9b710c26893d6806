(** What a running program does just now: {!Figures} of a short time, and where its workers stand at
    its end. *)

type t
(** The type for programs that are watched. *)

val create : int -> t
(** [create pid] is the process [pid], from now on. *)

val listen : t -> Drover_watch.Event.listener
(** [listen t] is to hear its events. *)

val seconds_since : t -> Drover_watch.Watch.outcome -> float
(** [seconds_since t outcome] is the time since the latest {!cut}, or the beginning. *)

type block = {
  figures : Figures.t;
  others : float option;  (** how many processors other programs used *)
  standing : int -> Drover_watch.Whereabouts.standing;  (** by ring *)
  at : int;  (** its end *)
}
(** The type for what is known of one interval. *)

val cut : t -> Drover_watch.Whereabouts.t -> at:int -> Drover_watch.Watch.outcome -> block
(** [cut t whereabouts ~at outcome] is what is known of the time since the latest [cut]; the next
    one begins. What it takes is what {!Drover_watch.Attached.watch} tells. *)

val pp : t -> block Fmt.t
(** [pp t] prints a block. *)
