(** Runs in which an exception comes at an allocation of the main thread, once, as that of a handler
    of Ctrl-C does. *)

exception Struck
(** What strikes. *)

exception Own
(** What a program raises itself. *)

val strike : unit -> unit
(** [strike ()] raises {!Struck}, unless signals are blocked. *)

val check : string -> bool -> unit
(** [check what b] is that [b] is [true]. For one domain at a time. *)

val at_each_allocation :
  ?again:int -> int -> (unit -> (unit -> unit) * (unit -> unit)) -> unit -> unit
(** [at_each_allocation domains make ()] strikes at each allocation of a program, in a run each:
    [make ()] is the program, and a check afterwards. The strike may come in the code of the program
    itself, which ends then; its run may raise {!Struck}, {!Own} or a cancellation. The [again]-th
    allocation after that is struck, too. *)

val on :
  int -> (string * (unit -> (unit -> unit) * (unit -> unit))) list -> unit Alcotest.test_case list
(** [on domains cases] is {!at_each_allocation} for each program. *)

val on_domains :
  (string * (unit -> (unit -> unit) * (unit -> unit))) list ->
  (string * unit Alcotest.test_case list) list
(** [on_domains cases] is that for each program, on one domain and on two. *)
