(** Scopes that the poller cancels after some time. *)

exception Timeout

val with_timeout : float -> (unit -> 'a) -> 'a
(** [with_timeout seconds f] is [f ()], in such a scope. What has returned when the time is up is
    the result. Suspends until all that it starts has ended. Raises {!exception-Timeout}. *)

val with_deadline : float -> (unit -> 'a) -> 'a
(** [with_deadline time f] is the same with a time of day. *)

val within :
  ?seconds:float ->
  change:(Scope.t -> Context.t -> Context.t) ->
  is_limit:(exn -> bool) ->
  (Scope.t -> 'a) ->
  'a
(** [within ~seconds ~change ~is_limit f] is [f s] in a scope [s] that is cancelled with
    {!exception-Timeout} then, by [Scope.run_in change]. What has returned is the result, also if
    the scope fails with one of [is_limit]. *)

val check_seconds : string -> float -> unit
(** [check_seconds caller seconds] raises {!exception-Timeout} if the time is up already, and
    [Invalid_argument] if [seconds] is not a number. *)
