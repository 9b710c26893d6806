(* Stands for the scheduler's tokens. *)

exception Cancelled of exn
