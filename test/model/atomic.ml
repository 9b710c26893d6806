(* Stands for the standard library's module in the copied sources. *)

include Dscheck.TracedAtomic
