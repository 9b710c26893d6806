(** Domainslib's interface: what orders strands there, and what its functions access.

    A program that names it need not have it from Drover, so this is no module that is opened, as
    those of the standard library are. Tasks and loops are Drover's, whose hooks tell of them. *)

open Ppxlib

val telling : loc:location -> Longident.t -> expression -> expression
(** [telling ~loc path e] is [e], the value of [path], as a function that tells; [e] itself if it is
    of another module, or has nothing to tell. *)
