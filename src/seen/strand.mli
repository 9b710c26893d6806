(** Strands: what runs between two calls of the scheduler, and is timed. *)

module Sites : Map.S with type key = Call_site.t

type tally = int Sites.t
(** The type for nanoseconds, or calls, by call site. *)

val add : Call_site.t -> int -> tally -> tally
(** [add site n tally] is [tally] with [n] more at [site]. *)

val of_tally : Call_site.t -> tally -> int
(** [of_tally site tally] is what [tally] has at [site], or 0. *)

type stamp = {
  site : Call_site.t;  (** the innermost fork, loop or start of a task that it is in *)
  span : int;  (** nanoseconds *)
  burdened : int;  (** the same, if every fork were a steal *)
  path : tally;  (** what [span] consists of *)
  record : Recording.sequence;  (** where what it does is recorded *)
}
(** The type for the point that a strand has reached in the program: the longest path from the
    beginning to here. *)

val origin : stamp
(** [origin] is the beginning. *)

val burden : ?times:int -> stamp -> stamp
(** [burden at] is [at] after a steal, or so many. *)

val advance : stamp -> int -> stamp
(** [advance at time] is [at] after so much work. *)

val join : stamp -> stamp -> stamp
(** [join a b] is the later of two, at the site of [a], and recorded as that. *)

(** {1 Domains} *)

type state = {
  mutable running : bool;
  mutable here : stamp;  (** where its strand began, or the last one ended *)
  mutable since : int;  (** the last start, stop or lap *)
  mutable allocated : int;  (** words, then *)
  mutable looked : int;
  mutable used : int;  (** processor time when it [looked] *)
  mutable work : tally;
  mutable calls : tally;
  mutable iterations : tally;  (** of loops with many *)
  mutable latest : stamp;  (** the end of any task *)
  mutable measuring : int;  (** what that has cost *)
}
(** The type for what a domain knows; others read it when the measurement ends. *)

val create_state : unit -> state
(** [create_state ()] is that of a domain before its first strand. *)

val states : state array ref
(** [states] are those of all domains, by their index. *)

val state : unit -> state
(** [state ()] is that of the calling domain. *)

val count : state -> Call_site.t -> int -> unit
(** [count s site time] counts work. *)

val outside : int Atomic.t
(** [outside] is the work outside any call, on all domains. *)

(** {1 Time} *)

val monotonic : unit -> int
(** [monotonic ()] is the time, in nanoseconds. *)

val clock : (unit -> int) ref
(** [clock] is the clock by which strands are timed. *)

val allocated : unit -> int
(** [allocated ()] are the words that the domain has allocated. *)

val cost_of_steal : int ref
(** [cost_of_steal] is what {!burden} adds. *)

val median : (int -> int) -> int
(** [median sample] is the median of some samples. *)

val cost_of_strand : int ref
(** [cost_of_strand] is the time that a strand takes in which nothing happens. *)

val words_of_strand : int ref
(** [words_of_strand] are the words that it allocates. *)

val long : int
(** [long] is a time in which a domain may have lost its processor. *)

(** {1 Strands} *)

val start : stamp -> unit
(** [start at] begins a strand at [at], on the calling domain. *)

val stop : unit -> stamp
(** [stop ()] is where the domain's strand ends; [origin] if none runs. *)

val lap : state -> int
(** [lap s] is the time since the strand of the domain of [s] began, or since its last [lap],
    without what other programs had. *)

val lap_words : state -> int
(** [lap_words s] are the words that the domain of [s] has allocated since then, if it records; to
    be called as often as {!lap}. *)

val pass : (stamp -> 'a) -> 'a
(** [pass f] is [f here], where the domain's strand is at [here]; it goes on from there. *)

val aside : (unit -> 'a) -> 'a
(** [aside f] is [f ()], during which the domain's strand does nothing. *)

val strand : stamp -> (stamp -> unit) -> (unit -> 'a) -> 'a
(** [strand at until f] is [f ()] from [at] on; [until] is given where it ends. *)
