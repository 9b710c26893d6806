(* Stands for the accounts of memory. *)

type t = unit

let none = ()
