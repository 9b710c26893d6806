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
module Random = Std_state.Random
module Format = Std_state.Format
module Lazy = Std_state.Lazy
module ArrayLabels = Std_labels.ArrayLabels
module BytesLabels = Std_labels.BytesLabels
module StdLabels = Std_labels.StdLabels
module Float = Std_labels.Float
module Condition = Std_sync.Condition
module Semaphore = Std_sync.Semaphore
module Drover = Std_drover.Drover

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
  module Random = Std_state.Random
  module Format = Std_state.Format
  module Lazy = Std_state.Lazy
  module ArrayLabels = Std_labels.ArrayLabels
  module BytesLabels = Std_labels.BytesLabels
  module StdLabels = Std_labels.StdLabels
  module Float = Std_labels.Float
  module Condition = Std_sync.Condition
  module Semaphore = Std_sync.Semaphore
end
