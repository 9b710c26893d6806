(** Channels: messages between tasks and threads.

    A channel passes each message to one receiver, and keeps the order of each sender's messages.
    Tasks of any pools and threads outside any task may use one channel. A caller that has to wait
    suspends or blocks; waiting senders and receivers are served in order of arrival. A receive that
    raises has received nothing, and a send that raises has sent nothing, unless a signal handler
    raises out of it. *)

type !'a t
(** The type for channels of messages of type ['a]. *)

exception Closed
(** [Closed] is raised by sending to a closed channel, and by receiving from one that is closed and
    empty. *)

val rendezvous : unit -> 'a t
(** [rendezvous ()] is a channel without a buffer: a sender waits until its message is received.
    From anywhere; never waits.

    {[
    let c = Drover.Chan.rendezvous () in
    let send () = Drover.Chan.send c 7 and recv () = Drover.Chan.recv c in
    Drover.both send recv = ((), 7)
    ]} *)

val bounded : int -> 'a t
(** [bounded n] is a channel that holds up to [n] messages: a sender waits while it is full. From
    anywhere; never waits. Raises [Invalid_argument] if [n < 1].

    {[
    let c = Drover.Chan.bounded 1 in
    Drover.Chan.send c 1;
    Drover.Chan.try_send c 2 = false
    ]} *)

val unbounded : unit -> 'a t
(** [unbounded ()] is a channel that holds any number of messages: no sender waits. From anywhere;
    never waits.

    {[
    let c = Drover.Chan.unbounded () in
    List.iter (Drover.Chan.send c) [ 1; 2; 3 ];
    Drover.Chan.length c = 3
    ]} *)

val send : 'a t -> 'a -> unit
(** [send c v] sends [v]. Suspends or blocks while [c] is full; at a rendezvous, until [v] is
    received. Raises {!Closed} if [c] is closed, or is closed before there is room for [v]. Takes
    amortised O(1) steps, or O(log n) while [n] others wait; so do the functions below.

    {[
    let c = Drover.Chan.bounded 2 in
    Drover.Chan.send c 7;
    Drover.Chan.recv c = 7
    ]} *)

val try_send : 'a t -> 'a -> bool
(** [try_send c v] sends [v] and is [true] if that is possible without waiting, and is [false]
    otherwise. Never waits. Raises {!Closed} if [c] is closed.

    {[
    Drover.Chan.try_send (Drover.Chan.bounded 1) 7 = true
    ]} *)

val recv : 'a t -> 'a
(** [recv c] is the oldest message of [c]. Suspends or blocks until there is one. Raises {!Closed}
    if [c] is closed and has no messages left.

    {[
    let c = Drover.Chan.bounded 2 in
    Drover.Chan.send c 1;
    Drover.Chan.send c 2;
    Drover.Chan.recv c = 1
    ]}

    [Drover.Scope.with_timeout] limits the time, and loses no message:

    {[
    let c = Drover.Chan.bounded 1 in
    match Drover.Scope.with_timeout 0.01 (fun () -> Drover.Chan.recv c) with
    | () -> false
    | exception Drover.Scope.Timeout -> true
    ]} *)

val try_recv : 'a t -> 'a option
(** [try_recv c] is the oldest message of [c], or [None] if [c] is empty. Never waits. Raises
    {!Closed} if [c] is closed and has no messages left.

    {[
    Drover.Chan.try_recv (Drover.Chan.bounded 1) = None
    ]} *)

val iter : ('a -> unit) -> 'a t -> unit
(** [iter f c] calls [f] on each message that it receives, one after the other, and returns when [c]
    is closed and has no messages left. Several tasks may iterate over one channel: each message
    then goes to one of them. Suspends or blocks while [c] is empty.

    {[
    let c = Drover.Chan.bounded 2 and sum = ref 0 in
    List.iter (Drover.Chan.send c) [ 3; 4 ];
    Drover.Chan.close c;
    Drover.Chan.iter (fun n -> sum := !sum + n) c;
    !sum = 7
    ]} *)

val close : 'a t -> unit
(** [close c] closes [c]: nothing more can be sent, and messages already sent can still be received.
    Senders and receivers that are waiting raise {!Closed}. Closing again does nothing. From any
    thread; never waits.

    {[
    let c = Drover.Chan.bounded 1 in
    Drover.Chan.send c 7;
    Drover.Chan.close c;
    Drover.Chan.recv c = 7
    ]} *)

val is_closed : 'a t -> bool
(** [is_closed c] is [true] iff [c] is closed. Never waits.

    {[
    let c = Drover.Chan.bounded 1 in
    Drover.Chan.close c;
    Drover.Chan.is_closed c = true
    ]} *)

val wait_closed : 'a t -> unit
(** [wait_closed c] suspends or blocks until [c] is closed, which may have messages left then. It is
    for those who send to [c] and have nothing to send yet.

    {[
    let c = Drover.Chan.bounded 1 in
    let wait () = Drover.Chan.wait_closed c and close () = Drover.Chan.close c in
    Drover.both wait close = ((), ())
    ]} *)

val length : 'a t -> int
(** [length c] is the number of messages in [c]'s buffer at some moment of the call. Never waits.

    {[
    let c = Drover.Chan.bounded 2 in
    Drover.Chan.send c 7;
    Drover.Chan.length c = 1
    ]} *)

(** {1 Several channels} *)

type 'r case
(** The type for alternatives of {!select} with a result of type ['r]. *)

val receiving : 'a t -> ('a -> 'r) -> 'r case
(** [receiving c f] is the case that receives a message [v] from [c]; its result is [f v].

    {[
    let c = Drover.Chan.bounded 1 in
    Drover.Chan.send c 6;
    Drover.Chan.select [ Drover.Chan.receiving c succ ] = 7
    ]} *)

val sending : 'a t -> 'a -> (unit -> 'r) -> 'r case
(** [sending c v f] is the case that sends [v] to [c]; its result is [f ()].

    {[
    let c = Drover.Chan.bounded 1 in
    Drover.Chan.select [ Drover.Chan.sending c 7 (fun () -> "sent") ] = "sent"
    ]} *)

val select : 'r case list -> 'r
(** [select cases] performs exactly one of [cases], the first that is possible, and is its result.
    Suspends or blocks until one is. If several are possible, the choice takes turns among them.
    Skips the cases of closed channels, and raises {!Closed} if there is no other. Raises
    [Invalid_argument] if one channel occurs both in a sending and in a receiving case and all cases
    have to wait. Takes O(n log n) steps for [n] cases.

    {[
    let a = Drover.Chan.bounded 1 and b = Drover.Chan.bounded 1 in
    Drover.Chan.send b 7;
    let from name c = Drover.Chan.receiving c (fun n -> (name, n)) in
    Drover.Chan.select [ from "a" a; from "b" b ] = ("b", 7)
    ]} *)
