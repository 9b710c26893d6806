(* What orders strands, of Drover, and what its array functions access. *)

let block = Address.block

module Drover = struct
  include Drover

  module Mutex = struct
    include Drover.Mutex
    include Std_sync.Told_lock (Drover.Mutex)
  end

  module Condition = struct
    include Drover.Condition
    include Std_sync.Told_signals (Drover.Condition)

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

    let within b f () =
      Sync.take b;
      Fun.protect ~finally:(fun () -> Sync.give b) f

    let protect ?n s f = protect ?n s (within (block s) f)
    let spawn ?n s scope f = spawn ?n s scope (within (block s) f)

    module Counting = struct
      include Drover.Semaphore.Counting
      include Std_sync.Told_permits (Drover.Semaphore.Counting)
    end

    module Binary = struct
      include Drover.Semaphore.Binary
      include Std_sync.Told_permits (Drover.Semaphore.Binary)
    end
  end

  (* What a writer did is known to who comes later, and what a reader did to writers only: it is given to a block
     beside the lock. *)
  module Rwlock = struct
    include Drover.Rwlock

    let no_readers = ref 0
    let readers = Blocks.create no_readers
    let readers_of l = block (Blocks.find_or_add readers (block l) (fun () -> ref 0))

    let read l f =
      read l (fun () ->
          Sync.take (block l);
          Fun.protect ~finally:(fun () -> Sync.give (readers_of l)) f)

    let write l f =
      write l (fun () ->
          Sync.take (readers_of l);
          Semaphore.within (block l) f ())
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

    let force_val = force
    let map f l = from_fun (fun () -> f (force l))
    let map_val f l = if is_val l then from_val (f (force l)) else map f l
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

    let create ?release make =
      let self = ref None in
      let told release x =
        match !self with Some s -> Sync.with_lock (block s) release x | None -> release x
      in
      let s = create ?release:(Option.map told release) make in
      self := Some s;
      s

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

    let send c v = Std_messages.sending send c v
    let try_send c v = Std_messages.trying_to_send try_send c v
    let recv c = Std_messages.receiving recv c
    let try_recv c = Std_messages.trying_to_receive try_recv c

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
          f v)

    let sending c v f =
      Sync.offer (block c);
      sending c v f
  end

  (* The results of [map] come by promises; others say themselves what there was when they were made. *)
  module Seq = struct
    include Drover.Seq

    let marked ?ahead f s =
      let result x =
        let v = f x in
        (v, Sync.now ())
      in
      map_unordered ?ahead result s

    let map_unordered ?ahead f s =
      let known (v, mark) =
        Option.iter Sync.learn mark;
        v
      in
      Stdlib.Seq.map known (marked ?ahead f s)

    (* The order in which the elements end decides nothing. *)
    let iter ?ahead f s =
      let learn ((), mark) = Option.iter Order.learn mark in
      Stdlib.Seq.iter learn (marked ?ahead f s)
  end

  module Array = struct
    include Drover.Array

    let map f a = map f (Tell.reading_all a)
    let mapi f a = mapi f (Tell.reading_all a)
    let iter f a = iter f (Tell.reading_all a)
    let iteri f a = iteri f (Tell.reading_all a)
    let filter f a = filter f (Tell.reading_all a)
    let filter_map f a = filter_map f (Tell.reading_all a)
    let partition f a = partition f (Tell.reading_all a)
    let find_opt f a = find_opt f (Tell.reading_all a)
    let find_index f a = find_index f (Tell.reading_all a)
    let find_map f a = find_map f (Tell.reading_all a)
    let exists f a = exists f (Tell.reading_all a)
    let for_all f a = for_all f (Tell.reading_all a)
    let concat_map f a = concat_map f (Tell.reading_all a)
    let count f a = count f (Tell.reading_all a)
    let min_max f a = min_max f (Tell.reading_all a)
    let collect f a = collect f (Tell.reading_all a)
    let dedup f a = dedup f (Tell.reading_all a)
    let reduce ~init ~combine f a = reduce ~init ~combine f (Tell.reading_all a)
    let map2 f a b = map2 f (Tell.reading_all a) (Tell.reading_all b)
    let mem x a = mem x (Tell.reading_all a)
    let to_list a = to_list (Tell.reading_all a)
    let copy a = copy (Tell.reading_all a)
    let rev a = rev (Tell.reading_all a)
    let zip a b = zip (Tell.reading_all a) (Tell.reading_all b)
    let scan ~init ~combine a = scan ~init ~combine (Tell.reading_all a)
    let scan_exclusive ~init ~combine a = scan_exclusive ~init ~combine (Tell.reading_all a)
    let merge c a b = merge c (Tell.reading_all a) (Tell.reading_all b)
    let sub a i n = sub (Tell.reading_part a i n) i n
    let fill a i n x = fill (Tell.writing_part a i n) i n x
    let blit a i b j n = blit (Tell.reading_part a i n) i (Tell.writing_part b j n) j n
    let map_inplace f a = map_inplace f (Tell.writing_all a)
    let scan_inplace ~init ~combine a = scan_inplace ~init ~combine (Tell.writing_all a)
    let sort c a = sort c (Tell.writing_all a)
    let stable_sort c a = stable_sort c (Tell.writing_all a)
    let fast_sort c a = fast_sort c (Tell.writing_all a)
    let sort_ints a = sort_ints (Tell.writing_all a)
    let sort_floats a = sort_floats (Tell.writing_all a)
    let sort_by_key key a = sort_by_key key (Tell.writing_all a)

    let scan_exclusive_inplace ~init ~combine a =
      scan_exclusive_inplace ~init ~combine (Tell.writing_all a)

    let scan_ints_inplace a = scan_ints_inplace (Tell.writing_all a)
    let scan_floats_inplace a = scan_floats_inplace (Tell.writing_all a)
    let unzip a = unzip (Tell.reading_all a)
    let fold ~make ~merge f a = fold ~make ~merge f (Tell.reading_all a)
    let sum_ints a = sum_ints (Tell.reading_all a)
    let sum_floats a = sum_floats (Tell.reading_all a)
    let scan_ints a = scan_ints (Tell.reading_all a)
    let scan_floats a = scan_floats (Tell.reading_all a)
    let is_sorted c a = is_sorted c (Tell.reading_all a)
    let kth_smallest c k a = kth_smallest c k (Tell.reading_all a)
    let shuffle ~seed a = shuffle ~seed (Tell.reading_all a)
    let histogram ~bins f a = histogram ~bins f (Tell.reading_all a)
    let group_by ?hash ?equal key a = group_by ?hash ?equal key (Tell.reading_all a)

    let reduce_by ?hash ?equal ~combine key value a =
      reduce_by ?hash ?equal ~combine key value (Tell.reading_all a)

    let count_by ?hash ?equal key a = count_by ?hash ?equal key (Tell.reading_all a)
    let distinct ?hash ?equal a = distinct ?hash ?equal (Tell.reading_all a)

    let join_by ?hash ?equal key_a key_b a b =
      join_by ?hash ?equal key_a key_b (Tell.reading_all a) (Tell.reading_all b)

    (* The serial rest *)

    let append = Std_containers.Array.append
    let mapi_inplace = Std_containers.Array.mapi_inplace
    let fold_left = Std_containers.Array.fold_left
    let fold_left_map = Std_containers.Array.fold_left_map
    let fold_right = Std_containers.Array.fold_right
    let iter2 = Std_containers.Array.iter2
    let for_all2 = Std_containers.Array.for_all2
    let exists2 = Std_containers.Array.exists2
    let memq = Std_containers.Array.memq
    let find_mapi = Std_containers.Array.find_mapi
    let equal = Std_containers.Array.equal
    let compare = Std_containers.Array.compare
    let split = Std_containers.Array.split
    let combine = Std_containers.Array.combine
    let to_seq = Std_containers.Array.to_seq
    let to_seqi = Std_containers.Array.to_seqi
  end

  module Frontier = struct
    include Drover.Frontier

    let of_array n a = of_array n (Tell.reading_all a)
    let push f rows ~scatter ~apply = push f (Tell.reading_all rows) ~scatter ~apply
    let pull f rows ~gather = pull f (Tell.reading_all rows) ~gather
    let should_pull f rows = should_pull f (Tell.reading_all rows)
  end

  module Float_array = struct
    include Drover.Float_array

    let map f a = map f (Tell.reading_floats a)
    let mapi f a = mapi f (Tell.reading_floats a)
    let map2 f a b = map2 f (Tell.reading_floats a) (Tell.reading_floats b)
    let iteri f a = iteri f (Tell.reading_floats a)
    let reduce ~init ~combine f a = reduce ~init ~combine f (Tell.reading_floats a)
    let sum a = sum (Tell.reading_floats a)
    let scan a = scan (Tell.reading_floats a)
    let map_inplace f a = map_inplace f (Tell.writing_floats a)
    let sort a = sort (Tell.writing_floats a)
  end

  module Bigarray1 = struct
    include Drover.Bigarray1

    let fill a x = fill (Tell.writing_array1 a) x
    let blit a b = blit (Tell.reading_array1 a) (Tell.writing_array1 b)
    let map_float64 f a = map_float64 f (Tell.reading_array1 a)
    let sum_float64 a = sum_float64 (Tell.reading_array1 a)
  end
end
