(** Two sessions of the benchmark, one against the other. *)

type times = {
  kernel : string;
  version : string;
  domains : int;
  seconds : Drover_show.Stats.summary;
}
(** The type for the times of one version of a kernel on a number of domains. *)

type session = { machine : string; rows : times list }
(** The type for what a session measured, and on which machine. *)

val read : string -> (session, string) result
(** [read file] is the session that [bench --json] wrote to [file]. The error says what is wrong
    with it. *)

val of_results : Store.t -> session
(** [of_results t] is the session that [t] tells of. *)

type verdict = Slower | Faster | Same  (** The type for what can be said of a change. *)

type change = {
  now : times;
  before : times;
  ratio : float;  (** of the medians: now over before *)
  low : float;
  high : float;  (** the 95% confidence interval of [ratio] *)
  verdict : verdict;
}
(** The type for changes. *)

val changes : before:session -> session -> change list
(** [changes ~before now] is how what both have measured has changed. A confidence interval is that
    of the medians, as their quartiles tell of it (McGill, Tukey and Larsen 1978). The verdict needs
    an interval that lies beyond 2% of one. *)

val table : before:session -> session -> Drover_show.Table.t
(** [table ~before now] shows them, regressions first. *)

val is_regression : change list -> bool
(** [is_regression changes] is [true] iff something is slower. *)
