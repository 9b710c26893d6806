(** Threads and domains that are not a pool's. *)

val thread : (unit -> 'a) -> unit -> 'a
(** [thread f] calls [f ()] in a systhread. What it gives waits for the end of that, and is its
    value or raises its exception. *)

val domain : (unit -> 'a) -> unit -> 'a
(** [domain f] is the same in a domain. *)

val expect : string -> 'a -> 'a -> unit
(** [expect what expected found] raises [Failure what] if the two differ. From any thread at any
    time, unlike Alcotest's checks. *)
