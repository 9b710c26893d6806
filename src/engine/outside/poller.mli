(** What tasks wait for that comes from outside: a time, or a descriptor that is ready. Idle
    workers, workers at their minor collections, or else a thread see to it. *)

(** {1 To wait}

    Any thread; never waits. *)

val after : float -> (unit -> unit) -> Timers.t
(** [after seconds call] calls [call] then, or somewhat later. [call] must not raise or wait. *)

type watch
(** The type for what waits for a descriptor. *)

val watch : Poll.request -> (unit -> unit) -> watch
(** [watch request ready] calls [ready] once when [request] is not waiting any more; it must not
    raise or wait. *)

val forget : watch -> unit
(** [forget w] ends that: no call is made, if it is not too late. *)

val expect : unit -> unit
(** [expect ()]: code begins that can be interrupted, perhaps by a timer that is there. It is served
    in time (see [Interrupter]). *)

val has_thread : unit -> bool
(** [has_thread ()] is whether the thread is there that sees to it even if all workers compute, or
    nothing is waited for any more; [false] if it cannot be made. *)

val is_waited_for : unit -> bool
(** [is_waited_for ()] is whether something may happen without anybody in the pools. *)

(** {1 For workers} *)

val park : Parker.t -> unit
(** [park parker] is [Parker.park parker], for a worker that has nothing else to do: it may serve
    what is due meanwhile. *)

val try_to_keep : unit -> bool
(** [try_to_keep ()] is [true] for one worker at a time, which serves what is due while it is
    parked: the keeper. *)

val keep : Parker.t -> until:float -> bool
(** [keep parker ~until], by the keeper, parks until [parker] is woken; [false] if the time has come
    instead, or nothing is waited for. *)

val stop_keeping : unit -> unit
(** [stop_keeping ()], by the keeper, in any case: another may be it. *)

val look : unit -> unit
(** [look ()] serves what is due, for a worker that computes. Never waits. *)
