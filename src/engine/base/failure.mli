(** Failures: exceptions that ended a task, with their backtraces, and whether anybody has seen
    them. Any thread; nothing here waits. *)

type t = { exn : exn; backtrace : Printexc.raw_backtrace; seen : bool ref }
(** The type for failures. [seen] is plain, and set once: a pool that closes while the failure is
    raised somewhere may not see that, and report it, too. *)

val caught : exn -> t
(** [caught exn], first thing in the handler of [exn], is that, with its backtrace. Raises nothing:
    if a signal's handler does meanwhile, it is what that has raised. *)

val error : exn -> ('a, t) result
(** [error exn] is the same as a result. *)

val catch : (unit -> 'a) -> ('a, t) result
(** [catch f] is the outcome of [f ()]: the one function that catches what a user's function raises,
    to raise it elsewhere. Raises nothing. *)

val raise : t -> 'a
(** [raise f] raises it, with its backtrace; it is seen. *)

val get : ('a, t) result -> 'a
(** [get outcome] is the value, or raises the failure. *)

val raise_after : ('a -> unit) -> 'a -> exn -> 'b
(** [raise_after finish x exn], first thing in the handler of [exn], calls [finish x], and then
    raises [exn] with its backtrace. Nothing is allocated before the call, where a signal's handler
    might raise. *)

val finally : (unit -> unit) -> (unit -> 'a) -> 'a
(** [finally finish f] is [f ()], and then calls [finish], in any case; what that raises, as a
    signal's handler may have it do, is raised as it is. *)

val none : t
(** [none] stands for the absence of a failure. *)

(** {1 Reports} *)

val report : t -> unit
(** [report f] reports [f], if it was not seen. Raises nothing. *)

val report_to : (exn -> Printexc.raw_backtrace -> unit) Atomic.t
(** [report_to] is what reports are given to. *)

type log
(** The type for the unseen failures of a pool. *)

val create_log : unit -> log
(** [create_log ()] is empty. *)

val note : log -> t -> unit
(** [note log f] sees to it that [f] is reported if nobody has seen it when it is collected, or when
    {!report_all} is called. *)

val report_all : log -> unit
(** [report_all log] reports what is in [log]. *)

(** {1 Failures that came together} *)

val raise_first : t -> t list -> 'a
(** [raise_first first others] raises [first], which carries the others with what they carry
    themselves. *)

val attached : exn -> (exn * Printexc.raw_backtrace) list
(** [attached exn] is what [exn] carries, as long as it is among the {!latest}. *)

val latest : int
(** [latest] is how many failures, at most, carry others, and how many others. *)
