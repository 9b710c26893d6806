(** The calling thread.

    A thread has a tag, so that each fork and each wait finds its worker in no time: to ask for it
    is a call of three instructions, while {!number} takes six loads, one after the other. With tags
    a fork takes 0.94 of the time. Kernel: fork. *)

external tag : unit -> int = "drover_thread_tag"
[@@noalloc]
(** [tag ()] is that of the calling thread: 0 if it was never set. *)

external set_tag : int -> unit = "drover_thread_set_tag"
[@@noalloc]
(** [set_tag n] makes [n] that of the calling thread. *)

external stack : unit -> int = "drover_stack_id"
[@@noalloc]
(** [stack ()] is the number of the stack of the calling code: no two stacks of a program have the
    same. Each handler of effects gives the code that it handles a stack of its own. So code that
    has the stack on which its task began lies in no handler of the user's, and what it calls finds
    none. OCaml has no way to ask. *)

external stack_may_double : unit -> bool = "drover_stack_may_double"
[@@noalloc]
(** [stack_may_double ()] is whether that stack has not come within half of the size that OCaml's
    limit allows. *)

val number : unit -> int
(** [number ()] is the calling thread's number, as [Thread.id] of [Thread.self], but inlined: a call
    that neither allocates nor raises, and the first field of what stands for a thread. No two
    threads of a program ever have the same. *)

type domain
(** The identity of a domain, at the cost of a load: its block of domain-local storage. The block is
    replaced when the storage grows. *)

external domain : unit -> domain = "%dls_get"
(** [domain ()] is that of the caller. *)
