(** Calls that are interrupted by a callback of Memprof at one of their allocations. *)

type moment
(** One of the allocations of a call, which is going to be made. *)

val nth : int -> moment
(** [nth n] is the [n]-th; the first is [nth 1]. *)

val number : moment -> int

val has_come : moment -> bool
(** Whether there was such an allocation. *)

val at :
  ?within:string list ->
  ?since:bool ref ->
  ?again:int ->
  moment ->
  (unit -> unit) ->
  (unit -> 'a) ->
  'a
(** [at (nth n) callback f] is [f ()], in which the [n]-th allocation of the calling thread calls
    [callback ()]. What that raises, the allocation raises. Only those allocations count that are
    made while [!since], and by modules whose full name begins with one of [within], or by what
    these call. The [again]-th one after it calls [callback ()], too. [f] must end on the domain on
    which it has begun. *)

val beside : moment -> (unit -> unit) -> (unit -> 'a) -> 'a
(** [beside (nth n) callback f] is the same for the [n]-th allocation of the domain's other threads.
*)

val raising : ?within:string list -> ?since:bool ref -> moment -> exn -> (unit -> 'a) -> 'a option
(** [raising (nth n) exn f] is [f ()] whose [n]-th allocation raises [exn], or [None] if that comes
    out of it. *)

val at_each : ?most:int -> (moment -> unit) -> int
(** [at_each law] is [law (nth 1)], [law (nth 2)] and so on until one does not come, but at most
    [most] times; and how many have come. *)
