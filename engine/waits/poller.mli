(** What tasks wait for that comes from outside: a time, or a descriptor that is ready. Idle
    workers, workers at their minor collections, or else a thread see to it. *)

(** {1 To wait}

    Any thread. A call is as [Awaited] says. *)

val at : float -> (unit -> unit) -> Awaited.timer
(** [at time call] calls [call] at this time of the [Clock], or somewhat later. *)

val cancel : Awaited.timer -> unit
(** [cancel timer] makes no call, if it is not too late. May be called again. *)

val watch : Awaited.watch -> unit
(** [watch w] calls [w.ready] when one can read from its descriptor, or write to it, without
    waiting, or when it is closed. *)

val unwatch : Awaited.watch -> unit
(** [unwatch w] makes no call, if it is not too late. May be called again. *)

val expect : unit -> unit
(** [expect ()]: code begins that can be interrupted, perhaps by a timer that is there. It is served
    in time (see [Interrupter]). *)

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

(** {1 Where its thread is} *)

val leave : unit -> unit
(** [leave ()] dismisses the thread, if it is on the calling domain, which does not end before its
    threads do. Whoever closes the pool then calls {!ensure}. *)

val ensure : unit -> unit
(** [ensure ()] makes a thread, here, if there should be one and it may be gone. *)

val pass_on : unit -> bool
(** [pass_on ()] is whether there is one on another domain. If there is one here, whoever next looks
    on another domain takes it over. *)

val bring_here : unit -> unit
(** [bring_here ()] moves the thread here, before the domains of a pool end that nobody closes. *)
