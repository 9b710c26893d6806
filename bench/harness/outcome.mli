(** What was measured of a kernel. *)

type row = {
  version : string;
  domains : int;  (** asked for *)
  obtained : int;  (** had *)
  seconds : Drover_show.Stats.summary;  (** of the samples, each the seconds of a run *)
  speed_up : Drover_show.Stats.summary;
      (** over the serial reference, of each turn: the machine may be faster in one than in another
      *)
  minor_heap_words : int;  (** of the first domain, after the last sample *)
  pauses : Gc_pauses.t;
}
(** The type for the measurements of one version at one number of domains. *)

(** What an outcome tells of: a program of the suite, a numeric or allocating kernel, or a loop or
    fork, which is small. *)
type kind = Program | Kernel | Loop

type t = {
  kernel : string;
  kind : kind;
  about : string;
  note : string;
  others : float option;  (** see {!Contention.others} *)
  rows : row list;  (** the serial reference first *)
}
(** The type for the measurements of a kernel. *)

val serial : string
(** [serial] is the name of the reference version. *)

val same_heap : string
(** [same_heap] is the name of that version with minor heaps as large as those of Drover's pool. *)

val find : t -> version:string -> domains:int -> row option
(** [find t ~version ~domains] is that row of [t], if it was measured. *)

val vs_serial : row -> float
(** [vs_serial row] is how many times faster than the reference [row] is, in the middle. *)

val vs_self : t -> row -> float
(** [vs_self t row] is how many times faster [row] is than the same version on the fewest domains
    measured. *)

val most_domains : t list -> int
(** [most_domains outcomes] is the largest number of domains that was measured. *)

val disturbance : t list -> float option
(** [disturbance outcomes] is what part of the processors other programs used, where more than one
    in four was measured beside such: then the figures are no measurement. *)

val is_noisy : row -> bool
(** [is_noisy row] is [true] if the middle half of the samples differ by more than a tenth: the
    figure is worth little. *)

val programs : t list -> t list
(** [programs outcomes] is those that tell of programs. *)

val kernels : t list -> t list
(** [kernels outcomes] is those that tell of kernels. *)

val main : t list -> t list
(** [main outcomes] is what a session is about: its programs; its kernels if it has none. *)

val loops : t list -> t list
(** [loops outcomes] is the others. *)
