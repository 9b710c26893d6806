(* The façade: what domainslib.mli promises, by name. *)

module Task = Domainslib_task
module Chan = Domainslib_chan
module Batcher = Domainslib_batcher
