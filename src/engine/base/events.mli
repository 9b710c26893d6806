(** Events: what the scheduler reports to consumers, as user events of OCaml's Runtime_events.

    While none listens, one is a call into the runtime that looks at a flag. So events mark what
    happens once a task, a steal or a wait, and never a fork that its own worker runs, nor a task
    that begins on top of the one that awaits it. All are of the runtime's own types: any consumer
    can read them by their names.

    A ring belongs to a domain, and a domain is one worker at a time, so on one ring

    {v
    worker id
      (task Begin .. (suspend w | batch n)* .. task End
       | steal
       | park Begin .. park End
       | stand_by Begin .. stand_by End)*
    worker -1
    v}

    and [resume w], the first event of the task that goes on after [suspend w], perhaps on another
    ring.

    Any thread; nothing here waits. *)

type 'a t := 'a Runtime_events.User.t
type span := Runtime_events.Type.span

val tell : 'a t -> 'a -> unit
(** [tell event x] writes [x] into the ring of the calling domain. *)

val during : span t -> (unit -> 'a) -> 'a
(** [during event f] is [f ()], between a Begin and an End. *)

val task : span t
val park : span t
val steal : int t
val worker : int t

val nobody : int
(** [nobody] is the worker of a ring whose domain is none any more. *)

val pool_open : int t
val pool_close : int t

(** {1 For who reads later}

    Once a second, while any worker comes by at collections, one tells where all stand. *)

type standing = Neither | In_task | Parked

val tell_standing : ring:int -> worker:int -> standing -> unit
(** [tell_standing ~ring ~worker state] says that the domain of [ring] is that worker of its pool,
    and what it does. As a number: the ring, 14 bits of the worker, and two of the state, in the
    order of the constructors. *)

(** {1 Crowds} *)

val active : int t
(** How many workers of the pool are active from now on. *)

val stand_by : span t
(** The pause of a worker that stands by. *)

val unserved : int t
(** For how many nanoseconds the workers of a pool have waited for processors, together, since the
    latest such event; told by {!tell_time}. *)

(** {1 Batches} *)

val batch : int t

val tell_time : int t -> int -> unit
(** [tell_time event n] is [tell event n], in parts whose sum is [n], as readers get the last 32
    bits of a number, with a sign. *)

val largest : int
(** [largest] is the largest of these parts. *)

(** {1 Loops} *)

val loop : int t
(** A loop has ended that had so many iterations; told only where [Cheap_loops] is on. *)

val loop_time : int t
(** For how many nanoseconds the loop of the next {!val-loop} ran; told by {!tell_time}. *)

(** {1 Waits} *)

val suspend : int t
val resume : int t

val wait_after : int -> int
(** [wait_after n] is the number for the next wait of a worker whose latest had the number [n]; -1:
    had none. Waits are numbered throughout the program. *)

val wait : string -> unit t
(** [wait what] tells for what the task waits whose {!val-suspend} comes next; told only where
    [Told] is on. Of these, too, and of sites, the first thousand are events of their own. *)

val taken : int Atomic.t
(** [taken] is the first that no worker has taken; it takes 64 at a time. *)

(** {1 Sites} *)

val site : string -> unit t
(** [site text] tells where what begins here was started; [""]: nobody knows. Comes after the Begin
    of {!val-task}, or within a task, of one that begins on top of it; told only where [Told] is on.
*)

(** {1 The program's own} *)

val named : string -> (unit -> 'a) -> 'a
(** [named name f] is [f ()], during an event that is called so. The runtime has room for some
    thousand events of at most 127 characters; what is more shares one. *)
