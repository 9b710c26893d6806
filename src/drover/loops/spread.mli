(** A body over 0..n-1, in parallel where that pays.

    Any thread; suspends, and raises, as [Loops.range] does. Intervals are inclusive. *)

val over : int -> (int -> int -> unit) -> unit
(** [over n body] is [body] on intervals that make up 0..n-1. *)

val light : int -> (int -> int -> unit) -> unit
(** [light n body] is the same for bodies of a few instructions an element, where time need not be
    taken. *)

val is_light : int -> bool
(** [is_light n] is whether so few are not divided then. *)

val rest : (int -> int -> unit) -> from:int -> int -> unit
(** [rest body ~from n] is [body] on intervals that make up from..n-1, by a loop in any case. *)

(** {1 The caller first} *)

val is_short : int -> bool
(** [is_short n] is whether the caller is to begin, without a loop, with the first of [n] elements.
*)

val split : int -> 'a -> ('a -> int -> int -> 'a) -> (int -> 'a -> 'b) -> 'a * 'b
(** [split n acc step rest] has the caller fold [step acc lo hi] over more and more of 0..n-1, until
    another begins with [rest from acc] what it has not begun yet, [from..n-1]; [from >= n] if
    nothing is left. The first result is of the elements before [from]; the [acc] of [rest] is that,
    or the first one where another began early. *)

(** {1 For others that begin so} *)

type 'a front
(** The type for how far a caller has come. *)

val front : are_tasks:bool -> 'a -> 'a front
(** [front ~are_tasks acc] is at the element 1; and nothing is [acc]. The elements are so few that
    they may be tasks, or not. *)

val share : 'a front -> (unit -> 'a) -> (unit -> 'b) -> 'a * 'b
(** [share front lead rest] is [lead ()], by the caller, which begins with {!enter} and the element
    0, and goes on with those that it can claim; and [rest ()] of those from [take_rest front] on.
    The first result may be nothing, if [take_rest] is 0. *)

val enter : _ front -> unit
(** [enter front] is the first that the caller does. *)

val all : int
(** [all] is behind any element. *)

val stride : _ front -> from:int -> int -> int
(** [stride front ~from most] is how many elements from [from] on the caller should claim: [most],
    or fewer. *)

val claim : 'a front -> from:int -> int -> 'a -> bool
(** [claim front ~from upto acc] is whether the caller has the elements [from..upto-1], too; or is
    to stop, as others have them or are to. Those before came to [acc]. *)

val take_rest : _ front -> int
(** [take_rest front] is where the rest begins, which the caller does not get any more. *)

val tasks : int
(** [tasks] is up to how many elements each is begun by itself: they may be whole tasks that wait
    for each other. *)

val few : int
(** [few] is up to how many elements each can be an iteration of its own. *)

val block : int
(** [block] is within how many elements a cancelled task stops. *)
