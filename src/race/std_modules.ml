(* The modules of the standard library that tell what they do. *)

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
