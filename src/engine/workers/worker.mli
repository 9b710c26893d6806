(** Workers: threads that run the tasks of a pool, and how code finds out which worker runs it.

    A worker is a thread, not a domain: other systhreads of its domain find no worker. A domain has
    one worker at most, because workers of one domain would only take turns.

    The functions on a worker are for its own thread, unless they say otherwise; and nothing waits.
*)

include module type of struct
  include Anatomy
end

(** {1 Which worker is this?} *)

val of_domain : unit -> t
(** [of_domain ()] is the worker of the calling thread's domain, or {!nobody}; another thread of the
    domain may be it. *)

val here : unit -> t
(** [here ()] is the worker that the calling thread is, or {!nobody}. *)

val mine : unit -> t option
(** [mine ()] is the same, if it runs a task, of which the caller is part. *)

val task_of : t -> t option
(** [task_of w] is [mine ()] where [here ()] is [w]. *)

val nobody : t
(** [nobody] stands for the absence of a worker. Its limit stays 0, so that every fork outside a
    pool takes the slow path. *)

val is_still : t -> bool
(** [is_still w] is whether [w], found by [here] before, is still the worker of this domain: the
    caller's frame has not moved; or seldom [false] where it has not. *)

val recognise : t -> unit
(** [recognise w]: the caller is [w] after all. *)

(** {1 Their lives} *)

val create_team :
  name:string -> size:int -> mask:int list -> adaptive:bool -> minor_heap_words:int option -> team
(** [create_team ~name ~size ~mask ~adaptive ~minor_heap_words] has no members yet, and will have
    [size]. *)

val create : team -> int -> t
(** [create team id] is a worker that no thread is. *)

val most : int
(** [most] is more workers than any runtime allows domains. *)

val become : t -> bool
(** [become w] makes the calling thread [w]; [false] if its domain has a worker already. *)

val step_down : t -> unit
(** [step_down w] ends that. *)

val iter : (int -> t -> unit) -> unit
(** [iter f] calls [f i w] for each worker [w] of any pool that is the thread of a domain, whose
    index is [i]. Others may come or go meanwhile. *)

(** {1 What it has claimed} *)

val pick_up : t -> Job.t -> unit
(** [pick_up w job] takes [job] in hand. To be part of the step that claims it. *)

val empty_hand : t -> unit
(** [empty_hand w]: the code of that has begun. *)

(** {1 What its tasks come to} *)

val next_wait : t -> int
(** [next_wait w] is the number of a wait that begins. *)

val follow : float -> float -> float
(** [follow estimate sample] is the next estimate. *)

val pass_point : t -> unit
(** [pass_point w]: its task has passed a scheduling point. *)

val deque_for : t -> urgent:bool -> Job.t Deque.t
(** [deque_for w ~urgent] is where its tasks of that kind go. *)

(** {1 The context of its code}

    By its own thread, in a section. *)

val adopt : t -> Context.t -> unit
(** [adopt w context]: [w] runs code of this context from now on, a task's. *)

val forget_context : t -> unit
(** [forget_context w]: it is between two tasks. *)

val change_context : t -> Context.t -> unit
(** [change_context w context] is [adopt] in the middle of a task: what that has begun looks for a
    cause to stop. *)

val run_in : t -> Context.t -> unit
(** [run_in w context] is the same where the fiber of [context] knows [w], or is never cancelled. *)

val return_to : t -> Context.t -> unit
(** [return_to w before] ends what [run_in] began, where the caller is still [w] or not. *)

val count_words : t -> unit
(** [count_words w] has the account of its code, if it has one, know what that has allocated. *)

(** {1 What wakes the code of a worker}

    Any thread. *)

val asked : int
(** [asked] is below every iteration: stands in [until] of a loop that was asked for a part. It is a
    plain field: a request that is lost is repeated, as that of a fork's worker. *)

val fresh : int
(** [fresh], likewise, is for one in its first iteration, that was not asked. *)

val alerted : int
(** [alerted], likewise, is for one that is to look around, and to give nothing. *)

val counted : int
(** [counted] is the limit of a worker that counts its forks: see [Slice]. *)

val alert : t -> unit
(** [alert w] has the code of [w] look around, for a while, at its next fork or iteration. A request
    may be lost. *)

val ask_loop : loop -> unit
(** [ask_loop loop] asks for a part of it. *)

val ask_loops : t -> unit
(** [ask_loops w] asks for parts of all that its task is in. *)

val is_to_be_interrupted : t -> bool
(** [is_to_be_interrupted w] is whether its code gets the exception of a cancellation at its next
    safepoint outside of sections (see [Ticker]). *)

val attention_in : t -> Context.t -> unit -> unit
(** [attention_in w context] is the attention of a fiber of [context] that [w] runs. *)

val has_account : t -> bool
(** [has_account w] is whether what its code allocates is counted, now. *)
