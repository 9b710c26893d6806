(* The façade: what domainslib.mli promises, by name. *)

module Task = Domainslib_task
module Batcher = Domainslib_batcher
