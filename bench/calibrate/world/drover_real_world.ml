(** This machine, in the place of a simulated one. *)

module Work = Work

module Drover_machine = struct
  module Work = Work
end

module Drover_shadow = struct
  module Shadow = struct
    module Atomic = Atomic
    module Condition = Condition
    module Domain = Domain
    module Gc = Gc
    module Mutex = Mutex
    module Thread = Thread
    module Unix = Unix
  end
end
