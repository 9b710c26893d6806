(** Everything that can be measured, by name. *)

open Drover_harness

type entry = Kernel of Kernel.t | Probe of Probe.t

val entries : entry list
(** [entries] is all kernels, the suite of programs with them, the attempts, then all probes. *)

val name : entry -> string
(** [name e] is what the user calls [e]. *)

type choice = { name : string; doc : string; entries : entry list }
(** What a user may ask for: an entry, or a suite of them. *)

val choices : choice list
(** [choices] is the suites, and each of {!entries}. *)

val kind : Kernel.t -> Outcome.kind
(** [kind k] is whether [k] is a program or a loop. *)

val find : string -> (choice, string) result
(** [find name] is the choice of that name. The error says which names are like it, or which ones
    there are. *)
