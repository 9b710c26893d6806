(** What has become slower, judged by pairs: each is a session of the program before a change, and
    one of the program after it, measured one right after the other. So what the machine does
    meanwhile mostly hits both alike, while two long sessions may differ without any change. *)

type change = {
  kernel : string;
  what : string;  (** the version and the number of domains, or the figure of a probe *)
  unit_ : string;
  before : float;  (** the median *)
  now : float;
  ratio : float;  (** of the costs, see {!Probe.cost}: the median over the pairs *)
  low : float;
  high : float;  (** the middle half of the ratios lies between these *)
  verdict : Compare.verdict;
}
(** The type for what the pairs say of a version of a kernel, or of a figure. *)

val word : Compare.verdict -> string
(** [word v] is [v] in a word; empty if there is no change. *)

val verdict : float array -> Compare.verdict
(** [verdict ratios] is [Slower] if the whole middle half of [ratios] lies above 1.03, and [Faster]
    if it lies below the inverse. *)

val verdict_of_both : float array -> relative:float array -> Compare.verdict
(** [verdict_of_both ratios ~relative] is what both say, where [relative] are the ratios of the
    costs over those of the serial program in the same session; [Same] if they differ. *)

val changes : (Store.t * Store.t) list -> change list
(** [changes pairs] is what both programs of [pairs] have measured of Drover. *)

val is_regression : change list -> bool
(** [is_regression changes] is [true] iff something is slower. *)

val table : change list -> Drover_show.Table.t
(** [table changes] shows them, regressions first. *)

val summary : change list -> string
(** [summary changes] names what is slower and what is faster. *)
