(* What the copy of the sources finds in place of the standard library's modules. *)

module Array = Sim_array
module Atomic = Sim_atomic
module Domain = Sim_domain
module Thread = Sim_thread
module Mutex = Sim_locks.Mutex
module Condition = Sim_locks.Condition
module Gc = Sim_gc
module Unix = Sim_unix
module Sys = Sim_sys
module Runtime_events = Sim_events
module Domain_local_await = Sim_await

module Stdlib = struct
  include Stdlib
  module Array = Sim_array
  module Atomic = Sim_atomic
  module Domain = Sim_domain
  module Mutex = Sim_locks.Mutex
  module Condition = Sim_locks.Condition
  module Gc = Sim_gc
  module Sys = Sim_sys
end
