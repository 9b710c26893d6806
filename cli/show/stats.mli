(** Figures of a few samples. All raise [Invalid_argument] on an empty array. *)

val quantile : float -> float array -> float
(** [quantile q a] is the smallest element of [a] that at least the fraction [q] of them does not
    exceed. *)

val median : float array -> float
(** [median a] is the middle of [a]; the mean of the two middles where there are two. *)

val geometric_mean : float array -> float
(** [geometric_mean a] is the mean of ratios. *)

val minimum : float array -> float
(** [minimum a] is the least element of [a]. *)

val quartiles : float array -> float * float
(** [quartiles a] is between what the middle half of [a] lies. *)

val spread : float array -> float
(** [spread a] is the distance between the extremes of [a], as a fraction of its median. *)
