(* What orders strands: with a race where that is missing, and a twin. *)

let n = 100
let each f = Drover.parallel_for ~start:0 ~finish:(n - 1) f
let pair f g = ignore (Drover.both f g : unit * unit)

let mutex is_racy =
  let m = Drover.Mutex.create () and count = ref 0 in
  each (fun i ->
      if is_racy && i = 50 then incr count else Drover.Mutex.protect m (fun () -> incr count))

(* Who begins both sides holds the lock for both at once. *)
let mutex_around is_racy =
  let m = Drover.Mutex.create () and count = ref 0 in
  let step () = if is_racy then incr count else Drover.Mutex.protect m (fun () -> incr count) in
  if is_racy then Drover.run (fun () -> Drover.Mutex.protect m (fun () -> pair step step))
  else pair step step

let mutex_by_hand is_racy =
  let m = Mutex.create () and other = Mutex.create () and count = ref 0 in
  each (fun i ->
      let m = if is_racy && i = 50 then other else m in
      Mutex.lock m;
      incr count;
      Mutex.unlock m)

(* A queue by hand: who takes what another has put there knows what was before that. *)
let queue_with_mutex is_racy =
  let m = Mutex.create () and q = Queue.create () in
  let put i =
    let b = Buffer.create 8 in
    Buffer.add_string b (string_of_int i);
    Mutex.protect m (fun () -> Queue.add b q);
    if is_racy then Buffer.add_char b 'x'
  and take () = ignore (Buffer.contents (Mutex.protect m (fun () -> Queue.take q)) : string) in
  pair (fun () -> each put) (fun () -> each (fun _ -> take ()))

(* Whoever has had the lock before says nothing. *)
let beside_mutex is_racy =
  let m = Mutex.create () and others = [| 0; 0 |] and a = [| 0; 0 |] in
  let side i () =
    if i = 0 then a.(0) <- 1;
    Mutex.protect m (fun () -> others.(i) <- 1);
    if i = 1 then a.(if is_racy then 0 else 1) <- 1
  in
  pair (side 0) (side 1)

let atomic is_racy =
  let ready = Atomic.make false and value = ref 0 in
  pair
    (fun () ->
      if not is_racy then value := 1;
      Atomic.set ready true;
      if is_racy then value := 1)
    (fun () -> if Atomic.get ready then ignore (!value : int))

let channel is_racy =
  let c = Drover.Chan.unbounded () in
  pair
    (fun () ->
      let b = Buffer.create 8 in
      Buffer.add_char b 'a';
      Drover.Chan.send c b;
      if is_racy then Buffer.add_char b 'b')
    (fun () -> ignore (Buffer.contents (Drover.Chan.recv c) : string))

let semaphore is_racy =
  let s = Drover.Semaphore.create 0 and r = ref 0 in
  pair
    (fun () ->
      if not is_racy then r := 1;
      Drover.Semaphore.release s;
      if is_racy then r := 1)
    (fun () ->
      Drover.Semaphore.acquire s;
      ignore (!r : int))

let latch is_racy =
  let l = Drover.Latch.create 1 and r = ref 0 in
  pair
    (fun () ->
      if not is_racy then r := 1;
      Drover.Latch.count_down l;
      if is_racy then r := 1)
    (fun () ->
      Drover.Latch.wait l;
      ignore (!r : int))

let barrier is_racy =
  let b = Drover.Barrier.create 2 and a = Array.make 2 0 in
  let party i () =
    a.(i) <- 1;
    if not is_racy then Drover.Barrier.wait b;
    ignore (a.(1 - i) : int)
  in
  Drover.Scope.run (fun s ->
      Drover.Scope.spawn s (party 0);
      Drover.Scope.spawn s (party 1))

let condition is_racy =
  let m = Drover.Mutex.create () and c = Drover.Condition.create () in
  let is_ready = ref false and value = ref 0 in
  pair
    (fun () ->
      Drover.Mutex.lock m;
      while not !is_ready do
        Drover.Condition.wait c m
      done;
      Drover.Mutex.unlock m;
      ignore (!value : int))
    (fun () ->
      if not is_racy then value := 1;
      Drover.Mutex.lock m;
      is_ready := true;
      Drover.Condition.signal c;
      Drover.Mutex.unlock m;
      if is_racy then value := 1)

let standard_condition is_racy =
  let m = Mutex.create () and c = Condition.create () in
  let is_ready = ref false and value = ref 0 in
  let tell () = if is_racy then Condition.signal c else Condition.broadcast c in
  pair
    (fun () ->
      if not is_racy then value := 1;
      Mutex.protect m (fun () -> is_ready := true);
      tell ();
      if is_racy then value := 1)
    (fun () ->
      Mutex.lock m;
      while not !is_ready do
        Condition.wait c m
      done;
      Mutex.unlock m;
      ignore (!value : int))

let memo is_racy =
  let log = Array.make n 0 in
  let t =
    Drover.Memo.create (fun _ key ->
        let a = [| key |] in
        if is_racy then log.(0) <- key;
        a)
  in
  each (fun i ->
      let a = Drover.Memo.get t (i / 2) in
      if is_racy then a.(0) <- i else ignore (a.(0) : int))

let lazy_value is_racy =
  let r = ref 0 in
  let l = Drover.Lazy.from_fun (fun () -> r := 1) in
  each (fun _ ->
      if not is_racy then Drover.Lazy.force l;
      ignore (!r : int);
      Drover.Lazy.force l)

type op = { mutable result : int; by : int }

let batch is_racy =
  let total = ref 0 in
  let run =
    Array.iter (fun op ->
        total := !total + op.by;
        op.result <- !total)
  in
  let b = Drover.Batch.create run in
  each (fun i ->
      let op = { result = 0; by = i } in
      Drover.Batch.submit b op;
      ignore (op.result : int);
      if is_racy && i = 50 then ignore (!total : int))

let scratch is_racy =
  let s = Drover.Scratch.create (fun () -> Buffer.create 8) and kept = Buffer.create 8 in
  each (fun _ ->
      Drover.Scratch.use s (fun b ->
          Buffer.clear b;
          Buffer.add_char b 'x');
      if is_racy then Buffer.add_char kept 'x')

let scratch_released is_racy =
  let kept = Buffer.create 8 in
  let release b =
    Buffer.clear b;
    if is_racy then Buffer.add_char kept 'x'
  in
  let s = Drover.Scratch.create ~release (fun () -> Buffer.create 8) in
  let fail () =
    match
      Drover.Scratch.use s (fun b ->
          Buffer.add_char b 'x';
          if is_racy then Buffer.add_char kept 'x';
          failwith "lost")
    with
    | () -> ()
    | exception Failure _ -> ()
  in
  pair fail (fun () -> Buffer.add_char (if is_racy then kept else Buffer.create 8) 'x');
  Drover.Scratch.clear s

let counting_semaphore is_racy =
  let s = Semaphore.Counting.make 0 and r = ref 0 in
  pair
    (fun () ->
      if not is_racy then r := 1;
      Semaphore.Counting.release s;
      if is_racy then r := 1)
    (fun () ->
      Semaphore.Counting.acquire s;
      ignore (!r : int))

(* One for each domain, in which one strand runs at a time. *)
let local_to_domain is_racy =
  let key = Domain.DLS.new_key (fun () -> Buffer.create 8) in
  let kept = Domain.DLS.get key in
  each (fun _ ->
      let b = if is_racy then kept else Domain.DLS.get key in
      Buffer.add_char b 'x')

(* Known, and said why: nothing is told of it. *)
let said is_racy =
  let best = [| 0 |] in
  each (fun i ->
      if is_racy then best.(0) <- i else (best.(0) <- i) [@drover.racy "any of them will do"])

let two_readers is_racy =
  let l = Drover.Rwlock.create () and count = ref 0 in
  let use = if is_racy then Drover.Rwlock.read else Drover.Rwlock.write in
  let step () = use l (fun () -> incr count) in
  pair step step

let reader_and_writer is_racy =
  let l = Drover.Rwlock.create () and value = ref 0 in
  let write () = if is_racy then value := 1 else Drover.Rwlock.write l (fun () -> value := 1)
  and read () = ignore (Drover.Rwlock.read l (fun () -> !value) : int) in
  pair write read;
  pair read write

let all =
  [
    ("Rwlock, two readers", two_readers, "incr count");
    ("Rwlock, a reader and a writer", reader_and_writer, "value := ..");
    ("Drover.Mutex", mutex, "incr count");
    ("Drover.Mutex, around a fork", mutex_around, "incr count");
    ("Mutex", mutex_by_hand, "incr count");
    ("Mutex, a queue", queue_with_mutex, "Buffer.contents");
    ("Mutex, beside it", beside_mutex, "a.(0) <- ..");
    ("Atomic", atomic, "value := ..");
    ("Chan", channel, "Buffer.contents");
    ("Semaphore", semaphore, "r := ..");
    ("Latch", latch, "r := ..");
    ("Barrier", barrier, "a.(i) <- ..");
    ("Condition", condition, "value := ..");
    ("Condition, of the standard library", standard_condition, "value := ..");
    ("Memo", memo, "a.(0) <- ..");
    ("Lazy", lazy_value, "!r");
    ("Batch", batch, "!total");
    ("Scratch", scratch, "Buffer.add_char");
    ("Scratch, released", scratch_released, "Buffer.add_char");
    ("Semaphore.Counting", counting_semaphore, "r := ..");
    ("Domain.DLS", local_to_domain, "Buffer.add_char");
    ("[@drover.racy]", said, "best.(0) <- ..");
  ]
