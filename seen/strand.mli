(** Strands: what runs between two calls of the scheduler, timed while a profile is made (see
    {!Profile}).

    A domain runs one strand at a time: start --> running --stop--> start. Between {!stop} and
    {!start} the scheduler works, and so does this module; that counts for nothing. Nothing here
    waits. *)

module Sites : Map.S with type key = int

type tally = int Sites.t
(** The type for nanoseconds, or calls, by call site. *)

val add : int -> int -> tally -> tally
(** [add site n tally] is [tally] with [n] more for [site]. *)

type stamp = {
  site : int;  (** the innermost fork, loop or start of a task that it is in *)
  span : int;  (** nanoseconds *)
  burdened : int;  (** the same, if every fork were a steal *)
  path : tally;  (** what [span] consists of *)
}
(** The type for where a strand stands in the program: the longest path from the beginning to here.
*)

val origin : stamp
(** [origin] is the beginning. *)

val join : stamp -> stamp -> stamp
(** [join a b] is the later of two, in the place of [a]. *)

val burden : ?times:int -> stamp -> stamp
(** [burden at] is [at] after a steal. *)

(** {1 The calling domain's strand} *)

val start : stamp -> unit
(** [start at] begins one at [at]. *)

val stop : unit -> stamp
(** [stop ()] is where it ends; [origin] if none runs, as for the other functions. *)

val pass : unit -> stamp
(** [pass ()] is the end of the strand so far; another one goes on from there. *)

val meet : stamp -> unit
(** [meet at]: the caller goes on after what has come to [at]. *)

val strand : stamp -> (stamp -> unit) -> (unit -> 'a) -> 'a
(** [strand at until f] is [f ()] from [at] on; [until] is given where it ends. *)

val aside : (unit -> 'a) -> 'a
(** [aside f] is [f ()], during which the caller's strand does nothing. *)

(** {1 For a profile} *)

type state = {
  mutable running : bool;
  mutable here : stamp;
  mutable since : int;  (** the last start or stop *)
  mutable looked : int;
  mutable used : int;  (** processor time at the last look *)
  mutable work : tally;
  mutable calls : tally;
  mutable latest : stamp;  (** the end of any task *)
}
(** The type for what a domain knows. *)

val state : unit -> state
(** [state ()] is that of the calling domain. *)

val create : unit -> state
(** [create ()] is the state of a domain that has run nothing. *)

val states : state array ref
(** [states] is those of all domains, by their index. *)

val monotonic : unit -> int
(** [monotonic ()] is the time, in nanoseconds. *)

val clock : (unit -> int) ref
val cost_of_strand : int ref
val cost_of_steal : int ref
