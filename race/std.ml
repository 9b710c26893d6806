(* What is opened at the top of each rewritten file: the same modules, which tell what they do. Nothing else is to be
   here, as it would stand before what the file opens itself. *)

module Array = Std_containers.Array
module Bytes = Std_containers.Bytes
module Hashtbl = Std_containers.Hashtbl
module Buffer = Std_containers.Buffer
module Queue = Std_containers.Queue
module Stack = Std_containers.Stack
module Dynarray = Std_containers.Dynarray
module Atomic = Std_sync.Atomic
module Mutex = Std_sync.Mutex
module Domain = Std_sync.Domain
module Drover = Std_sync.Drover

module Stdlib = struct
  include Stdlib
  module Array = Std_containers.Array
  module Bytes = Std_containers.Bytes
  module Hashtbl = Std_containers.Hashtbl
  module Buffer = Std_containers.Buffer
  module Queue = Std_containers.Queue
  module Stack = Std_containers.Stack
  module Dynarray = Std_containers.Dynarray
  module Atomic = Std_sync.Atomic
  module Mutex = Std_sync.Mutex
  module Domain = Std_sync.Domain
end
