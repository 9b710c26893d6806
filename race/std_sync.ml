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

module Mutex = struct
  include Stdlib.Mutex

  let lock m =
    lock m;
    Sync.lock (block m)

  let unlock m =
    Sync.unlock (block m);
    unlock m

  let try_lock m =
    let is_locked = try_lock m in
    if is_locked then Sync.lock (block m);
    is_locked

  let protect m f = protect m (Sync.with_lock (block m) f)
end

module Condition = struct
  include Stdlib.Condition

  let signal c =
    Sync.give (block c);
    signal c

  let broadcast c =
    Sync.give (block c);
    broadcast c

  let wait c m =
    Sync.unlock (block m);
    wait c m;
    Sync.lock (block m);
    Sync.take (block c)
end

module Semaphore = struct
  module Counting = struct
    include Stdlib.Semaphore.Counting

    let release s =
      Sync.give (block s);
      release s

    let acquire s =
      acquire s;
      Sync.take (block s)

    let try_acquire s =
      let is_acquired = try_acquire s in
      if is_acquired then Sync.take (block s);
      is_acquired
  end

  module Binary = struct
    include Stdlib.Semaphore.Binary

    let release s =
      Sync.give (block s);
      release s

    let acquire s =
      acquire s;
      Sync.take (block s)

    let try_acquire s =
      let is_acquired = try_acquire s in
      if is_acquired then Sync.take (block s);
      is_acquired
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
