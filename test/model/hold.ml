(* Stands for the holds of the engine: nobody ends with one here. *)

type t = { name : string; mutable holder : int; release : unit -> unit }

let nobody = 0
let give_back h = h.holder <- nobody
