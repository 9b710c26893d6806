(** Everything that can be measured, by name. *)

open Drover_harness

type entry = Kernel of Kernel.t | Probe of Probe.t

val entries : entry list
(** [entries] is all kernels, then all probes. *)

val name : entry -> string
(** [name e] is what the user calls [e]. *)

val doc : entry -> string
(** [doc e] is a line about [e]. *)

val find : string -> (entry, string) result
(** [find name] is the entry of that name. The error says which names are like it, or which ones
    there are. *)
