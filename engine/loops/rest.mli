(** What a run of a loop has left: iterations, and the parts that it has given away of them.

    The run is in one frame, on the worker [home], and takes its iterations from [loop] while the
    rest is {e closed}. While it is {e open}, for the time of one iteration, any worker may give a
    part, to itself. When the run has ended, or its frame was carried off, nobody does. Each change
    is one step (see [Critical]), and nothing waits. *)

type 'a part = {
  job : 'a Job.job;
  first : int;
  behind : int;  (** the last one *)
  mutable is_settled : bool;  (** by the run: taken back, or joined *)
}
(** The type for parts that were given away. *)

type 'a state = private {
  is_open : bool;
  next : int;
  stop : int;
  given : 'a part list;  (** to be joined, leftmost first *)
}
(** The type for what the rest is at one moment. *)

type 'a t = private { loop : Worker.loop; home : Worker.t; mutable state : 'a state [@atomic] }
(** The type for rests. *)

val create : Worker.t -> is_open:bool -> int -> int -> 'a part list -> 'a t
(** [create home ~is_open next stop given] has the iterations [next .. stop - 1], and [given]. *)

val publish : 'a t -> unit
(** [publish r], before [r] stands in a list of loops: whoever finds it open there sees all that the
    caller of the loop has written. *)

(** {1 What is left} *)

val is_open : 'a t -> bool
(** [is_open r] is whether [r] is open. *)

val given : 'a t -> 'a part list
(** [given r] is the parts to be joined, leftmost first. Any domain. *)

val state : 'a t -> 'a state
(** [state r] is what [r] is now. Any domain. *)

val next : 'a t -> 'a state -> int
(** [next r s] is the first that is left. Only for [home] while the rest is closed. *)

val is_empty : 'a t -> bool
(** [is_empty r] is whether no iteration is left. *)

val is_over : 'a t -> bool
(** [is_over r] is whether it is empty, and nothing is to be joined. *)

(** {1 For the run} *)

val close : 'a t -> unit
(** [close r] closes [r]: the iteration for which it was open has ended. *)

val open_for_one : 'a t -> unit
(** [open_for_one r] opens [r], which is closed, for the next iteration, if there is one. *)

val take_upto : 'a t -> int -> int
(** [take_upto r upto] takes all up to [upto], or as many as are left, and not only the next one;
    and is the first that it does not get. *)

val go_back : 'a t -> 'a part -> unit
(** [go_back r part] goes on with [part], the first that was given, which has been taken back; all
    before it has been done. *)

val forget_first : 'a t -> unit
(** [forget_first r]: the first part has been joined. *)

val leave : 'a t -> unit
(** [leave r]: nothing is left but the parts that were given. *)

val leave_from : 'a t -> 'a state -> bool
(** [leave_from r before] is [true] if [r] was [before], and has nothing any more, which nobody's
    giving can come after: for a frame that has moved, which makes a rest of its own of [before]. *)

(** {1 For others} *)

val take_first : 'a t -> int option
(** [take_first r] takes the first iteration, for somebody else than the run, on its worker. *)

val give :
  'a t ->
  Worker.t ->
  part:(int -> int) ->
  add:(int -> int -> 'a part list -> 'a part list) ->
  alone:Alone.t option ->
  bool
(** [give r w ~part ~add ~alone] gives away the last [part n] of the [n] iterations that are left,
    if that is not zero: [add first behind given] is [given] with these. By the worker [w], which is
    [home], or any other while the rest is open. A part on its own is counted in [alone]. *)

val heed_giving : 'a t -> Worker.t -> unit
(** [heed_giving r w], after [give] by [w], asks the loop again if it was cancelled meanwhile. A
    signal's handler may raise here, so the part must be in safe hands. *)
