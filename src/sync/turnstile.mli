(** Permits that tasks and threads wait for. Any thread.

    Whoever comes by takes a free permit, before those in line. But when others have gone before the
    first in line often enough, or for long, the next permit is given to that one. *)

type who
(** The type for those who wait. *)

type t = who Permits.t
(** The type for turnstiles. *)

val enter : t -> unit
(** [enter t] takes a permit. Waits until there is one. Raises [Cancelled], with none taken. *)

val enter_by : ((Waiter.t -> unit) -> unit) -> t -> unit
(** [enter_by wait] is {!enter}, where [wait] is a function of [Waiter]. *)

val leave : t -> bool
(** [leave t] gives a permit back; [false] if there are too many. *)

val leave_line : t -> (unit -> unit) -> bool
(** [leave_line t on_leave] is [leave t], whether or not there is a line, with [on_leave ()] before.
*)

val leaving : t -> (unit -> unit) -> Permits.hand -> unit -> unit
(** [leaving t on_leave hand ()] gives back the permit in [hand], if it is there still, and runs
    [on_leave] before. May be called again (see [Critical.finish]). *)

val between :
  ((Waiter.t -> unit) -> unit) ->
  t ->
  on_enter:(unit -> unit) ->
  on_leave:(unit -> unit) ->
  (unit -> 'a) ->
  'a
(** [between wait t ~on_enter ~on_leave f] is [f ()], with a permit from [enter_by wait], which is
    given back in any case. [on_enter] and [on_leave], which must not have a safepoint, run at the
    beginning and at the end of that. *)

(** {1 One at a time} *)

type sole
(** The type for what is for one at a time, who must not come again while inside. *)

val sole : unit -> sole
(** [sole ()] has nobody inside. *)

val within : string -> sole -> (unit -> 'a) -> 'a
(** [within caller s f] is [f ()], inside. Waits as {!enter}. Raises [Invalid_argument] for
    [caller], a function of [Drover], if the task is inside already. *)
