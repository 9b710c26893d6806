(* Parker: where one thread sleeps until it is woken.

   A wake-up that comes first is kept as a token, and several make one. The thread sleeps in a
   blocking section, so it holds up no minor collection.

   Nothing wakes a thread that waits on a condition variable to run the handler of a signal. So the
   main thread, to which the workers leave the signals, sleeps in the read of a pipe instead: a
   signal interrupts it, and its handler may raise out of the wait, as [Sys.Break] does. The thread
   sleeps in one place at a time, so one pipe serves. *)

type t = {
  mutex : Stdlib.Mutex.t;
  condition : Stdlib.Condition.t;
  mutable token : bool;
  mutable on_pipe : bool; (* the main thread sleeps here *)
}

let create () =
  {
    mutex = Stdlib.Mutex.create ();
    condition = Stdlib.Condition.create ();
    token = false;
    on_pipe = false;
  }

let pipe =
  lazy
    (let out_of, into = Unix.pipe ~cloexec:true () in
     Unix.set_nonblock into;
     (out_of, into))

(* A full pipe wakes the thread just as well. *)
let write_pipe () =
  let _, into = Lazy.force pipe in
  try ignore (Unix.single_write_substring into "." 0 1 : int)
  with Unix.Unix_error ((EAGAIN | EWOULDBLOCK), _, _) -> ()

let read_pipe () =
  let out_of, _ = Lazy.force pipe in
  try ignore (Unix.read out_of (Bytes.create 64) 0 64 : int)
  with Unix.Unix_error (EINTR, _, _) -> ()

let wake p =
  Stdlib.Mutex.protect p.mutex (fun () ->
      p.token <- true;
      if p.on_pipe then write_pipe () else Stdlib.Condition.signal p.condition)

let take_token p =
  let token = p.token in
  p.token <- false;
  token

let wait_on_condition p =
  Stdlib.Mutex.protect p.mutex (fun () ->
      while not (take_token p) do
        Stdlib.Condition.wait p.condition p.mutex
      done)

let wait_on_pipe p =
  ignore (Lazy.force pipe);
  let set_on_pipe on_pipe =
    Stdlib.Mutex.protect p.mutex (fun () ->
        p.on_pipe <- on_pipe;
        take_token p)
  in
  let rec sleep () =
    if not (set_on_pipe true) then (
      read_pipe ();
      sleep ())
  in
  Fun.protect sleep ~finally:(fun () -> if set_on_pipe false then p.token <- true)

let is_main_thread () = Domain.is_main_domain () && Thread.id (Thread.self ()) = 0
let wait p = if is_main_thread () then wait_on_pipe p else wait_on_condition p
