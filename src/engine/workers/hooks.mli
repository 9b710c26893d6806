(** Hooks: what the engine tells its instruments, such as a profile or the reports of deadlocks.

    Nobody listens, as a rule: then each hook does next to nothing. An instrument is a change of
    some of them. A private fork has no hook, so a fork pays nothing. *)

type mark = ..
(** The type for what an instrument notes where work pauses or ends, for work that goes on from
    there. *)

val no_mark : mark
(** [no_mark] is where nobody listens. *)

type loop = { iteration : 'a. (unit -> 'a) -> 'a; combine : 'a. (unit -> 'a) -> 'a }
(** The type for what runs the iterations of one loop, or the pieces that a range is cut into, and
    what combines their results. *)

type around = {
  around : 'f 'r. combines:bool -> int -> (loop -> 'f -> 'f) -> 'f -> ('f -> 'r) -> 'r;
}
(** The type for {!val-loop} where somebody listens. *)

type wait = { wait : 'a 'b. string -> Hold.t option -> ('a -> 'b) -> 'a -> 'b }
(** The type for {!val-wait} where somebody listens. *)

type begins = { begins : is_fork:bool -> Context.Locals.t -> unit }
(** The type for {!val-begins} where somebody listens. *)

type t = {
  (* Work begins *)
  start : (Context.Locals.t -> Context.Locals.t) option;
  begins : begins option;
  task : 'a. (unit -> 'a) -> unit -> 'a;  (** the body of a task that the caller starts *)
  in_place : 'a. (unit -> 'a) -> unit -> 'a;
      (** the body of a task for which the caller only waits *)
  fork :
    'w 'a 'b 'c.
    ('w -> (unit -> 'a) -> (unit -> 'b) -> 'c) -> 'w -> (unit -> 'a) -> (unit -> 'b) -> 'c;
      (** [fork both w f g] is [both w f g], a fork that is not private from the beginning *)
  loop : around option;
  (* Work pauses and goes on *)
  suspend : (unit -> mark) option;
  resume : (mark -> mark -> unit) option;
  pass : (unit -> mark) option;
  meet : mark -> unit;
  ended : unit Ivar.t -> mark -> unit;
  gathered : (unit Ivar.t -> unit) option;
  wait : wait option;
  aside : 'a. (unit -> 'a) -> 'a;
      (** [aside f] is [f ()], in which the calling thread, outside of tasks, waits *)
  call : (unit -> bool) -> exn -> unit;
      (** [call has_ended] is what to do when a task is cancelled that is in a call within
          [blocking] *)
  late : Worker.t -> unit;
      (** by the worker's thread: its task was to say where it is (see [Watch]) *)
  (* Pools *)
  pool_open : Worker.team -> unit;  (** the team has its members *)
  pool_close : Worker.team -> unit;  (** its tasks have ended, and its domains *)
  (* What the engine does otherwise where somebody listens *)
  shortcuts : bool;  (** tasks may wait and wake in ways that no hook sees *)
  private_forks : int;  (** how many forks of a worker may be private *)
  least_workers : int;
      (** work is cut into pieces for at least so many workers, however many there are *)
  pool_size : int option;  (** how many workers pools are to have, whatever their creators want *)
  finest : bool;
      (** loops are divided as far as they can be: ranges into calls of one iteration, and what
          combines results by forks *)
  timed : bool;  (** slices end by the clock, and not after a number of looks at it *)
  alone : string option;
      (** why pools get no domains of their own, and only callers that wait work, in the words of an
          exception *)
}
(** The type for hooks. Those without a comment are called by the functions of the same names below;
    [None] does nothing, for what happens most often. *)

val installed : t ref
(** [installed] is what the engine calls. *)

(** {1 Work begins} *)

val start : Context.Locals.t -> Context.Locals.t
(** [start locals] is the local values of a task or a loop that the caller starts, with [locals];
    [locals] itself where nobody listens. *)

val begins : is_fork:bool -> Context.Locals.t -> unit
(** [begins ~is_fork locals]: the calling worker begins a task, a part of a loop or a fork, whose
    local values these are. *)

val loop : combines:bool -> int -> (loop -> 'f -> 'f) -> 'f -> ('f -> 'r) -> 'r
(** [loop ~combines n within f run] is [run f], a loop of [n] iterations that calls [f]. An
    instrument has it call [within loop f] instead. If it [combines] results, an iteration may go on
    with what the one before it has come to; else each is for itself. *)

(** {1 Work pauses and goes on} *)

val suspend : unit -> mark
(** [suspend ()]: the calling task pauses here. *)

val resume : mark -> mark -> unit
(** [resume here waker]: a task goes on that has paused at [here], and was woken at [waker]. *)

val pass : unit -> mark
(** [pass ()] is where the caller is, which makes others go on and goes on itself. *)

val meet : mark -> unit
(** [meet mark]: the caller goes on with what was there at [mark]. *)

val ended : unit Ivar.t -> mark -> unit
(** [ended cell mark]: a task has ended at [mark] that is of the group whose end fills [cell]. *)

val gathered : unit Ivar.t -> unit
(** [gathered cell]: the caller goes on after all tasks of the group whose end fills [cell]. *)

val wait : string -> Hold.t option -> ('a -> 'b) -> 'a -> 'b
(** [wait aim wanted suspend x] is [suspend x]: the calling task or thread waits. [aim] is what it
    does, in the words of a report: "awaits a promise"; it waits for [wanted], if there is one. *)
