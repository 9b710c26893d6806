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

type summary = { count : int; low : float; median : float; high : float }
(** The type for what is kept of samples: how many there were, their median, and the quartiles [low]
    and [high]. *)

val summary : float array -> summary
(** [summary a] is that of [a]. *)

val spread : summary -> float
(** [spread s] is the distance between the quartiles, as a fraction of the median. *)
