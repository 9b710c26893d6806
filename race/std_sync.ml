(* What orders strands, of the standard library. *)

let block = Address.block

(* OCaml's memory model: who reads what an atomic write has written knows what was before that. *)
module Atomic = struct
  include Stdlib.Atomic

  let give a = Sync.give (block a)
  let take a = Sync.take (block a)

  let both a =
    take a;
    give a

  let get a =
    let v = get a in
    take a;
    v

  let set a v =
    give a;
    set a v

  let exchange a v =
    both a;
    exchange a v

  let compare_and_set a before after =
    let is_set = compare_and_set a before after in
    if is_set then both a else take a;
    is_set

  let fetch_and_add a n =
    both a;
    fetch_and_add a n

  let incr a =
    both a;
    incr a

  let decr a =
    both a;
    decr a
end

(* What a lock, a condition and permits tell, of this library and of Drover *)

module Told_lock (M : sig
  type t

  val lock : t -> unit
  val unlock : t -> unit
  val try_lock : t -> bool
  val protect : t -> (unit -> 'a) -> 'a
end) =
struct
  let lock m =
    M.lock m;
    Sync.lock (block m)

  let unlock m =
    Sync.unlock (block m);
    M.unlock m

  let try_lock m =
    let is_locked = M.try_lock m in
    if is_locked then Sync.lock (block m);
    is_locked

  let protect m f = M.protect m (Sync.with_lock (block m) f)
end

module Told_signals (C : sig
  type t

  val signal : t -> unit
  val broadcast : t -> unit
end) =
struct
  let signal c =
    Sync.give (block c);
    C.signal c

  let broadcast c =
    Sync.give (block c);
    C.broadcast c
end

module Told_permits (S : sig
  type t

  val release : t -> unit
  val acquire : t -> unit
  val try_acquire : t -> bool
end) =
struct
  let release s =
    Sync.give (block s);
    S.release s

  let acquire s =
    S.acquire s;
    Sync.take (block s)

  let try_acquire s =
    let is_acquired = S.try_acquire s in
    if is_acquired then Sync.take (block s);
    is_acquired
end

module Mutex = struct
  include Stdlib.Mutex
  include Told_lock (Stdlib.Mutex)
end

module Condition = struct
  include Stdlib.Condition
  include Told_signals (Stdlib.Condition)

  let wait c m =
    Sync.unlock (block m);
    wait c m;
    Sync.lock (block m);
    Sync.take (block c)
end

module Semaphore = struct
  module Counting = struct
    include Stdlib.Semaphore.Counting
    include Told_permits (Stdlib.Semaphore.Counting)
  end

  module Binary = struct
    include Stdlib.Semaphore.Binary
    include Told_permits (Stdlib.Semaphore.Binary)
  end
end

module Domain = struct
  include Stdlib.Domain

  (* What a domain has for itself is of one strand at a time, as behind a lock, which the strand holds to its end. *)
  module DLS = struct
    include Stdlib.Domain.DLS

    let get key =
      Sync.keep_lock (block key);
      get key

    let set key v =
      Sync.keep_lock (block key);
      set key v
  end

  let spawn (_ : unit -> 'a) : 'a t =
    Listen.refuse
      "a program that spawns domains itself cannot be checked, as it would not run on one"
end
