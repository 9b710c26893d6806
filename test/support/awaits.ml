open Drover

type t = { wait : unit -> unit; go : unit -> unit; again : unit -> unit }

(* [go] and what tasks wait for that [wait] has started. *)
let gate () =
  let promise, resolver = Promise.create () in
  ((fun () -> Promise.fulfil resolver ()), fun () -> await promise)

let nothing = Fun.id

(* Tasks of [call] pass the gate. *)
let tasks call () =
  let go, pass = gate () in
  { wait = (fun () -> call pass); go; again = go }

let tasks_of domains () =
  let pool = Pool.create ~domains () in
  let { wait; go; again } = tasks (Pool.run pool) () in
  {
    wait =
      (fun () ->
        wait ();
        Pool.close pool);
    go;
    again =
      (fun () ->
        again ();
        Pool.close pool);
  }

let promise () =
  let go, pass = gate () in
  { wait = pass; go; again = go }

let task () =
  let go, pass = gate () in
  let task = async pass in
  {
    wait = (fun () -> await task);
    go;
    again =
      (fun () ->
        go ();
        await task);
  }

let task_of_one () =
  let go, pass = gate () in
  let pool = Pool.create ~domains:1 () in
  let task = Pool.async pool pass in
  {
    wait =
      (fun () ->
        await task;
        Pool.close pool);
    go;
    again =
      (fun () ->
        go ();
        await task;
        Pool.close pool);
  }

let receive () =
  let c = Chan.bounded 1 in
  {
    wait = (fun () -> Chan.recv c);
    go = (fun () -> Chan.send c ());
    again =
      (fun () ->
        Chan.send c ();
        Chan.recv c);
  }

let send () =
  let c = Chan.bounded 1 in
  Chan.send c 1;
  let check what n = if Chan.recv c <> n then failwith what in
  {
    wait =
      (fun () ->
        Chan.send c 2;
        check "what was sent" 2);
    go = (fun () -> check "what was there" 1);
    again =
      (fun () ->
        check "what was there" 1;
        if Chan.try_recv c <> None then failwith "sent");
  }

let rendezvous () =
  let c = Chan.rendezvous () in
  {
    wait = (fun () -> Chan.send c ());
    go = (fun () -> Chan.recv c);
    again = (fun () -> if Chan.try_recv c <> None then failwith "sent");
  }

let select () =
  let a = Chan.bounded 1 and b = Chan.bounded 1 in
  {
    wait = (fun () -> Chan.(select [ receiving a nothing; receiving b nothing ]));
    go = (fun () -> Chan.send b ());
    again =
      (fun () ->
        Chan.send b ();
        Chan.recv b);
  }

let mutex () =
  let m = Mutex.create () in
  Mutex.lock m;
  {
    wait = (fun () -> Mutex.protect m nothing);
    go = (fun () -> Mutex.unlock m);
    again =
      (fun () ->
        Mutex.unlock m;
        if not (Mutex.try_lock m) then failwith "locked");
  }

let condition () =
  let m = Mutex.create () and c = Condition.create () and is_told = ref false in
  let wait () =
    Mutex.protect m (fun () ->
        while not !is_told do
          Condition.wait c m
        done)
  in
  let go () =
    Mutex.protect m (fun () ->
        is_told := true;
        Condition.signal c)
  in
  {
    wait;
    go;
    again =
      (fun () ->
        go ();
        wait ());
  }

let semaphore () =
  let s = Semaphore.create 0 in
  {
    wait = (fun () -> Semaphore.acquire s);
    go = (fun () -> Semaphore.release s);
    again =
      (fun () ->
        Semaphore.release s;
        Semaphore.acquire s);
  }

(* A task holds the lock, to write or to read, until [go]. *)
let rwlock hold wait () =
  let l = Rwlock.create () and begun, begin_ = Promise.create () and go, pass = gate () in
  let holder () =
    hold l (fun () ->
        Promise.fulfil begin_ ();
        pass ())
  in
  let task = async holder in
  await begun;
  {
    wait = (fun () -> wait l nothing);
    go;
    again =
      (fun () ->
        go ();
        await task;
        wait l nothing);
  }

let latch () =
  let l = Latch.create 1 in
  let go () = Latch.count_down l in
  { wait = (fun () -> Latch.wait l); go; again = go }

let lazy_ () =
  let go, pass = gate () in
  let l = Lazy.from_fun pass in
  { wait = (fun () -> Lazy.force l); go; again = go }

let batch () =
  let go, pass = gate () in
  let b = Batch.create (fun _ -> pass ()) in
  {
    wait = (fun () -> Batch.submit b ());
    go;
    again =
      (fun () ->
        go ();
        Batch.submit b ());
  }

let close () =
  let go, pass = gate () in
  let pool = Pool.create ~domains:2 () in
  let task = Pool.async pool pass in
  {
    wait =
      (fun () ->
        Pool.close pool;
        await task);
    go;
    again =
      (fun () ->
        go ();
        Pool.close pool);
  }

let readable () =
  let input, output = Unix.pipe ~cloexec:true () in
  let go () = ignore (Unix.write_substring output "x" 0 1 : int) in
  {
    wait = (fun () -> wait_readable input);
    go;
    again =
      (fun () ->
        go ();
        wait_readable input);
  }

(* Whoever can go on does so before it ends. *)
let sleep () =
  let has_gone = ref false in
  {
    wait =
      (fun () ->
        sleep 0.05;
        if not !has_gone then failwith "blocked");
    go = (fun () -> has_gone := true);
    again = ignore;
  }

let all =
  [
    ("a promise", promise);
    ("a task", task);
    ("a task of a pool of one", task_of_one);
    ("run in a pool of one", tasks_of 1);
    ("run in a pool of two", tasks_of 2);
    ("a pool for a call", tasks (run ~domains:2));
    ("both", tasks (fun pass -> ignore (both pass pass : unit * unit)));
    ("a loop", tasks (fun pass -> parallel_for ~start:1 ~finish:50 (fun _ -> pass ())));
    ("a scope", tasks (fun pass -> Scope.run (fun s -> Scope.spawn s pass)));
    ("a map", tasks (fun pass -> ignore (List.map pass [ (); (); () ] : unit list)));
    ("receive", receive);
    ("send", send);
    ("rendezvous", rendezvous);
    ("select", select);
    ("mutex", mutex);
    ("condition", condition);
    ("semaphore", semaphore);
    ("rwlock, to read", rwlock Rwlock.write Rwlock.read);
    ("rwlock, to write", rwlock Rwlock.read Rwlock.write);
    ("latch", latch);
    ("lazy", lazy_);
    ("batch", batch);
    ("close", close);
    ("descriptor", readable);
    ("sleep", sleep);
  ]
