(* What orders strands, of the standard library and of Drover. *)

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

module Domain = struct
  include Stdlib.Domain

  let spawn (_ : unit -> 'a) : 'a t =
    Listen.refuse
      "a program that spawns domains itself cannot be checked, as it would not run on one"
end

module Drover = struct
  include Drover

  module Mutex = struct
    include Drover.Mutex

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
    include Drover.Condition

    let signal c =
      Sync.give (block c);
      signal c

    let broadcast c =
      Sync.give (block c);
      broadcast c

    let wait c m =
      Sync.unlock (block m);
      Fun.protect ~finally:(fun () -> Sync.lock (block m)) (fun () -> wait c m);
      Sync.take (block c)
  end

  module Semaphore = struct
    include Drover.Semaphore

    let acquire ?n s =
      acquire ?n s;
      Sync.take (block s)

    let release ?n s =
      Sync.give (block s);
      release ?n s

    let try_acquire ?n s =
      let is_acquired = try_acquire ?n s in
      if is_acquired then Sync.take (block s);
      is_acquired

    let within s f () =
      Sync.take (block s);
      Fun.protect ~finally:(fun () -> Sync.give (block s)) f

    let protect ?n s f = protect ?n s (within s f)
    let spawn ?n s scope f = spawn ?n s scope (within s f)
  end

  module Latch = struct
    include Drover.Latch

    let count_down l =
      Sync.give (block l);
      count_down l

    let wait l =
      wait l;
      Sync.take (block l)
  end

  module Barrier = struct
    include Drover.Barrier

    let wait b =
      Sync.give (block b);
      wait b;
      Sync.take (block b)
  end

  (* Whoever has the value knows what its computation did. *)
  module Lazy = struct
    include Drover.Lazy

    let from_fun f =
      let self = ref None in
      let l =
        from_fun (fun () ->
            let v = f () in
            Option.iter (fun l -> Sync.give (block l)) !self;
            v)
      in
      self := Some l;
      l

    let force l =
      let v = force l in
      Sync.take (block l);
      v
  end

  module Memo = struct
    include Drover.Memo

    let create ?bound ?hash ?equal f =
      let self = ref None in
      let compute get key =
        let v = f get key in
        Option.iter (fun t -> Sync.give (block t)) !self;
        v
      in
      let t = create ?bound ?hash ?equal compute in
      self := Some t;
      t

    let take t = Sync.take (block t)

    let get t key =
      let v = get t key in
      take t;
      v

    let find_opt t key =
      let v = find_opt t key in
      take t;
      v
  end

  (* One task at a time has a value. *)
  module Scratch = struct
    include Drover.Scratch

    let use s f = use s (Sync.with_lock (block s) f)
  end

  (* A batch knows what its submitters did, and they know what it did. Two batches are never side by side. *)
  module Batch = struct
    include Drover.Batch

    let give op = if Address.is_block op then Sync.give (block op)
    let take op = if Address.is_block op then Sync.take (block op)

    let create ?pool ?max ?applied ?one run =
      let lock = block (ref 0) in
      let run ops =
        Stdlib.Array.iter take ops;
        run ops;
        Stdlib.Array.iter give ops
      and one_of one op =
        let is_applied = one op in
        give op;
        is_applied
      in
      let one = Option.map (fun one -> Sync.with_lock lock (one_of one)) one in
      create ?pool ?max ?applied ?one (Sync.with_lock lock run)

    let submit b op =
      give op;
      submit b op;
      take op
  end

  module Chan = struct
    include Drover.Chan

    let send c v =
      Sync.send (block c);
      send c v

    (* Only what was sent is a message; nothing runs between the two. *)
    let try_send c v =
      let is_sent = try_send c v in
      if is_sent then Sync.send (block c);
      is_sent

    let recv c =
      let v = recv c in
      Sync.receive (block c);
      v

    let try_recv c =
      let v = try_recv c in
      if Option.is_some v then Sync.receive (block c);
      v

    let iter f c =
      iter
        (fun v ->
          Sync.receive (block c);
          f v)
        c

    let close c =
      Sync.give (block c);
      close c

    let wait_closed c =
      wait_closed c;
      Sync.take (block c)

    let receiving c f =
      receiving c (fun v ->
          Sync.receive (block c);
          Sync.take (block c);
          f v)

    let sending c v f =
      Sync.give (block c);
      sending c v f
  end

  module Array = struct
    include Drover.Array

    let map f a = map f (Tell.reading_all a)
    let mapi f a = mapi f (Tell.reading_all a)
    let iter f a = iter f (Tell.reading_all a)
    let iteri f a = iteri f (Tell.reading_all a)
    let filter f a = filter f (Tell.reading_all a)
    let sort c a = sort c (Tell.writing_all a)
    let stable_sort c a = stable_sort c (Tell.writing_all a)
  end
end
