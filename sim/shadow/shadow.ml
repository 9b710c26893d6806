(* What the copy of the sources finds in place of the standard library's modules. *)

module Standard = struct
  module Array = Sim_array
  module Atomic = Sim_atomic
  module Domain = Sim_domain
  module Mutex = Sim_locks.Mutex
  module Condition = Sim_locks.Condition
  module Gc = Sim_gc
  module Sys = Sim_sys
end

include Standard
module Thread = Sim_thread
module Unix = Sim_unix
module Runtime_events = Sim_events
module Domain_local_await = Sim_await

module Stdlib = struct
  include Stdlib
  include Standard
end
