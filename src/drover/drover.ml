(* The façade: what drover.mli promises, by name. *)

module Promise = struct
  include Promise
  include Combine
end

module Batch = Batch

module Scope = struct
  include Scope
  include Limits

  let protect = Extent.protect

  let first ?combine fs =
    let is_over = function Chan.Closed | Timeout -> true | _ -> false in
    first ?combine ~is_over fs

  include Until_signal
end

module Local = Local

exception Cancelled = Token.Cancelled

let run = Pool.run_in_new
let both = Fork_join.both
let all = Fork_join.all
let all_settled = Fork_join.all_settled
let async = Pool.async
let await = Promise.await
let parallel_for = Loops.iter
let parallel_range = Loops.range
let parallel_reduce = Loops.reduce
let parallel_reduce_range = Loops.reduce_range
let parallel_fold = Fold.fold
let parallel_fold_range = Fold.fold_range
let parallel_collect = Collect.parallel_collect
let parallel_find_any = Loops.find
let parallel_find_first = First.find
let named = Events.named
let sleep = External.sleep
let blocking = Blocking.blocking
let wait_readable = External.wait_readable
let wait_writable = External.wait_writable

module Pool = struct
  include Pool

  let async = async_in

  (* A task may be interrupted between any two steps. *)
  let with_pool ?name ?domains ?minor_heap_words ?adaptive f =
    let create = create_for "Pool.with_pool" ?name ?domains ?minor_heap_words ?adaptive in
    match current () with
    | Some _ -> Scope.bracket ~acquire:create ~release:close f
    | None -> with_new create f
end

module Array = Arrays
module List = Lists
module Float_array = Float_arrays
module Bigarray1 = Bigarrays
module Text = Text
module Seq = Seqs
module Delayed = Delayed
module Bitset = Bitset
module Frontier = Frontier
module Rng = Rng
module Chan = Chan
module Mutex = Locks.Mutex
module Condition = Conditions
module Rwlock = Locks.Rwlock

module Semaphore = struct
  include Locks.Semaphore

  let spawn ?n s scope f =
    let n = Locks.request "spawn" ?n s in
    let start () =
      acquire ~n s;
      Scope.spawn_for "Semaphore.spawn" ~finally:(fun () -> Locks.give_back ~n s) scope f
    in
    Section.run start ()
end

module Latch = Meetings.Latch
module Barrier = Meetings.Barrier
module Lazy = Lazy_value
module Memo = Memo
module Scratch = Scratch
module Scalability = Scalability

module Parallel = struct
  module Promise = Promise
  module Scope = Scope

  let run = run
  let both = both
  let all = all
  let async = async
  let await = await
  let parallel_for = parallel_for
  let parallel_range = parallel_range
  let parallel_reduce = parallel_reduce
  let parallel_reduce_range = parallel_reduce_range
  let parallel_fold = parallel_fold
  let parallel_fold_range = parallel_fold_range
  let parallel_collect = parallel_collect
  let parallel_find_any = parallel_find_any
  let parallel_find_first = parallel_find_first
end

(* By the names that users know. *)
let () =
  Printexc.register_printer (function
    | Cancelled reason -> Some ("Drover.Cancelled(" ^ Printexc.to_string reason ^ ")")
    | Scope.Timeout -> Some "Drover.Scope.Timeout"
    | Scope.Signalled s -> Some ("Drover.Scope.Signalled(" ^ Sys.signal_to_string s ^ ")")
    | Scope.Exceeded { limit; used } ->
        let kind, words =
          match limit with Heap words -> ("heap", words) | Allocated words -> ("allocated", words)
        in
        Some (Printf.sprintf "Drover.Scope.Exceeded(%s: %d words, limit %d)" kind used words)
    | Chan.Closed -> Some "Drover.Chan.Closed"
    | _ -> None)
