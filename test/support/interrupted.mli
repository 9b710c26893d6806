(** Calls that a callback of Memprof interrupts at one of their allocations. *)

val at : ?within:string list -> ?since:bool ref -> int -> (unit -> unit) -> (unit -> 'a) -> 'a
(** [at n callback f] is [f ()], in which the [n]-th allocation of the calling thread calls
    [callback ()]. What that raises, the allocation raises. Only those allocations count that are
    made while [!since], and by modules whose full name begins with one of [within], or by what
    these call. [f] must end on the domain on which it has begun. *)

val beside : int -> (unit -> unit) -> (unit -> 'a) -> 'a
(** [beside n callback f] is the same for the [n]-th allocation of the domain's other threads. *)

val raising :
  ?within:string list -> ?since:bool ref -> int -> exn -> (unit -> 'a) -> 'a option * bool
(** [raising n exn f] is [f ()] whose [n]-th allocation raises [exn], or [None] if that comes out of
    it; and whether there was one. *)

val at_each : ?most:int -> (int -> bool) -> int
(** [at_each law] is [law 1], [law 2] and so on while that is true, which says that there was such
    an allocation, but at most [most] times; and how often it was. *)
