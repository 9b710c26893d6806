(* What is interruptible stops although it never looks, and nothing else does. *)

open Test_support
open Drover

let expect = Stranger.expect
let never () = await (fst (Promise.create ()))

exception Stop

(* What a program computes with, so that it is not left out. *)
let sink = Atomic.make 0

let case ?seconds name f =
  Watchdog.case ?seconds name (fun () ->
      f ();
      Stdlib.List.iter (fun domains -> run ~domains f) [ 1; 2; 4 ])

(* Code that never looks, and never ends *)

let spin () =
  while true do
    Atomic.incr sink
  done

let allocate () =
  while true do
    ignore (Sys.opaque_identity (ref (Atomic.get sink)))
  done

let rec sum = function [] -> 0 | x :: xs -> x + sum xs

let recurse () =
  let xs = Stdlib.List.init 100_000 Fun.id in
  while true do
    Atomic.set sink (sum xs)
  done

let walk () =
  let table = Hashtbl.create 1000 in
  for i = 1 to 10_000 do
    Hashtbl.replace table i i
  done;
  while true do
    Hashtbl.iter (fun key value -> Atomic.set sink (key + value)) table
  done

let sort () =
  let slowly a b =
    for _ = 1 to 1000 do
      Atomic.incr sink
    done;
    Int.compare a b
  in
  while true do
    Atomic.set sink
      (Stdlib.List.hd
         (Stdlib.List.sort slowly (Stdlib.List.init 1000 (fun i -> i * 7919 mod 1009))))
  done

let kinds = [ spin; allocate; recurse; walk; sort ]

let rec forks depth () =
  if depth = 0 then Stdlib.List.nth kinds (Random.int 5) ()
  else ignore (both (forks (depth - 1)) (forks (depth - 1)) : unit * unit)

(* Their outcome when they are cancelled. *)

let times_out f =
  match Scope.with_timeout 0.01 (fun () -> Scope.interruptible f) with
  | _ -> failwith "it ended"
  | exception Scope.Timeout -> ()

let no_kind_goes_on () = Stdlib.List.iter times_out kinds
let forks_stop () = times_out (forks 4)

let loops_stop () =
  times_out (fun () -> parallel_for ~start:1 ~finish:8 (fun _ -> spin ()));
  times_out (fun () -> ignore (Array.init 8 (fun _ -> spin ()) : unit array));
  times_out (fun () -> Scope.run (fun s -> Stdlib.List.iter (Scope.spawn s) kinds))

let is_parallel () = Option.fold ~none:2 ~some:Pool.size (Pool.current ()) > 1

(* The tasks of a scope that was made inside are interruptible too. *)
let cancelled_by_a_task () =
  let begun = Atomic.make false in
  let spins () =
    Atomic.set begun true;
    spin ()
  and cancels s () =
    while not (Atomic.get begun) do
      sleep 0.
    done;
    Scope.cancel s Stop
  in
  let tasks s =
    Scope.spawn s spins;
    Scope.spawn s (cancels s)
  in
  if is_parallel () then
    match Scope.interruptible (fun () -> Scope.run tasks) with
    | () -> failwith "it ended"
    | exception Stop -> ()

let cancelled_from_outside () =
  let begun = Atomic.make false and scope = ref None in
  let cancel =
    Stranger.domain (fun () ->
        while not (Atomic.get begun) do
          Domain.cpu_relax ()
        done;
        Scope.cancel (Option.get !scope) Stop)
  in
  (match
     Scope.run (fun s ->
         scope := Some s;
         Scope.interruptible (fun () ->
             Atomic.set begun true;
             spin ()))
   with
  | () -> failwith "it ended"
  | exception Stop -> ());
  cancel ()

let races () =
  let begun = Atomic.make false in
  let loser () =
    Scope.interruptible (fun () ->
        Atomic.set begun true;
        (spin () : unit);
        0)
  and winner () =
    while not (Atomic.get begun) do
      sleep 0.
    done;
    1
  in
  if is_parallel () then expect "the winner" 1 (Scope.first [ loser; winner ])

let a_failure_beside () =
  match
    Scope.interruptible (fun () ->
        both
          (fun () -> spin ())
          (fun () ->
            sleep 0.;
            raise Stop))
  with
  | _ -> failwith "it ended"
  | exception Stop -> ()

let a_failure_beside () = if is_parallel () then a_failure_beside ()

(* It is the innermost scope that ends, whatever is around it. *)
let nested () =
  let inner () =
    times_out spin;
    1
  in
  let outer () =
    Scope.interruptible (fun () ->
        let n = inner () in
        n + Scope.with_timeout 3600. (fun () -> Scope.interruptible inner))
  in
  expect "the outer one goes on" 2 (Scope.with_timeout 3600. outer)

let waits () =
  times_out never;
  times_out (fun () ->
      sleep 0.001;
      spin ())

(* What bears every exception gets another one. *)
let obstinate () =
  let borne = ref 0 in
  times_out (fun () ->
      while !borne < 3 do
        try spin () with Cancelled Scope.Timeout -> incr borne
      done;
      spin ());
  expect "so many were borne" 3 !borne

(* For ever, too: it is struck where it bears nothing. *)
let stubborn () =
  let work () =
    for _ = 1 to 1_000_000 do
      Atomic.incr sink
    done
  in
  times_out (fun () ->
      while true do
        try work () with _ -> ()
      done);
  times_out (fun () ->
      while true do
        try ignore (Stdlib.List.init 10 Fun.id) with _ -> ()
      done)

(* The time to clean up is only for code that has been interrupted. *)
let at_once () =
  for _ = 1 to 20 do
    let collections = ref 0 in
    let body s () =
      Scope.cancel s Stop;
      while true do
        Gc.minor ();
        incr collections
      done
    in
    match Scope.run (fun s -> Scope.interruptible (body s)) with
    | () -> failwith "it ended"
    | exception Stop -> expect "it was interrupted at once" true (!collections < 3)
  done

(* Where nothing is interrupted *)

(* Returns when the caller would have been interrupted, had it not been masked. *)
let linger () =
  for _ = 1 to 100 do
    Gc.minor ();
    Thread.yield ()
  done

(* [masked f] calls [f] where it must not be interrupted, when the scope around is cancelled
   already. *)
let bears masked =
  let has_ended = ref false in
  let body s =
    masked (fun () ->
        Scope.cancel s Stop;
        linger ();
        has_ended := true);
    linger ()
  in
  (match Scope.run (fun s -> Scope.interruptible (fun () -> body s)) with
  | () -> failwith "not cancelled"
  | exception Stop -> ());
  expect "the masked part has ended" true !has_ended

let protected () =
  bears Scope.protect;
  bears (fun f -> Scope.protect (fun () -> Scope.run (fun _ -> f ())));
  bears (fun f -> Scope.protect (fun () -> Local.with_value (Local.create 0) 1 f))

let in_a_batch () = bears (fun f -> Batch.submit (Batch.create (Array.iter (fun f -> f ()))) f)
let in_a_task_apart () = bears (fun f -> Scope.protect (fun () -> await (async f)))
let in_a_thread () = bears (fun f -> Scope.protect (Stranger.thread f))

(* The code around is cancelled, but not interruptible. *)
let outside () =
  let has_ended = ref false in
  let body s =
    Scope.interruptible ignore;
    Scope.cancel s Stop;
    linger ();
    has_ended := true
  in
  (match Scope.run body with () -> failwith "not cancelled" | exception Stop -> ());
  expect "the code outside has gone on" true !has_ended

(* A loop that is interrupted at some moment does no iteration twice, leaves none out if it returns, and
   begins none when its call has ended. *)

let size = 100

let visited_once loop () =
  for round = 1 to 6 do
    let visits = Stdlib.Array.init size (fun _ -> Atomic.make 0)
    and has_ended = Atomic.make false in
    let body i =
      Atomic.incr visits.(i);
      if Atomic.get has_ended then Atomic.incr visits.(i);
      if i land 15 = 3 then await (async ignore)
    in
    let interrupted s =
      let cancel =
        Stranger.domain (fun () ->
            Unix.sleepf (1e-6 *. float (20 * round));
            Scope.cancel s Stop)
      in
      Fun.protect
        ~finally:(fun () -> Scope.protect cancel)
        (fun () -> Scope.interruptible (fun () -> loop body))
    in
    let returned = match Scope.run interrupted with () -> true | exception Stop -> false in
    Atomic.set has_ended true;
    parallel_for ~start:1 ~finish:50 (fun _ -> await (async ignore));
    let check i v =
      let v = Atomic.get v in
      if v > 1 || (returned && v = 0) then
        failwith (Printf.sprintf "iteration %d was done %d times" i v)
    in
    Stdlib.Array.iteri check visits
  done

(* Wherever its start, its body or its end is interrupted, a scope ends with all that is in it. *)
let scopes_end () =
  let next = Atomic.make None and is_over = Atomic.make false in
  let rec cancel_each () =
    (match Atomic.exchange next None with
    | Some s ->
        Unix.sleepf (1e-6 *. float (Random.int 60));
        Scope.cancel s Stop;
        Gc.minor ()
    | None -> Domain.cpu_relax ());
    if not (Atomic.get is_over) then cancel_each ()
  in
  let canceller = Stranger.domain cancel_each and later () = await (async ignore) in
  let body inner =
    Scope.spawn inner later;
    Scope.daemon inner never;
    later ()
  in
  let interrupted s =
    Atomic.set next (Some s);
    Scope.interruptible (fun () -> Scope.run body)
  in
  for _ = 1 to 500 do
    try Scope.run interrupted with Stop -> ()
  done;
  Atomic.set is_over true;
  canceller ()

(* Clean-ups *)

let brackets () =
  let open_ = ref 0 in
  let acquire s () =
    Scope.cancel s Stop;
    linger ();
    incr open_
  and release () =
    linger ();
    decr open_
  in
  for _ = 1 to 10 do
    match
      Scope.run (fun s ->
          Scope.interruptible (fun () -> Scope.bracket ~acquire:(acquire s) ~release spin))
    with
    | () -> failwith "it ended"
    | exception Stop -> expect "what was acquired is released" 0 !open_
  done;
  expect "the value" 3 (Scope.bracket ~acquire:(fun () -> 1) ~release:ignore (fun n -> n + 2));
  let m = Mutex.create () in
  let lock f =
    Scope.bracket
      ~acquire:(fun () -> Mutex.lock m)
      ~release:(fun () -> Mutex.unlock m)
      (fun () -> f ())
  in
  times_out (fun () -> lock spin);
  lock (fun () -> expect "the lock is the caller's" false (Mutex.try_lock m))

let locks () =
  let m = Mutex.create () and s = Semaphore.create 1 in
  for _ = 1 to 20 do
    times_out (fun () -> Mutex.protect m (fun () -> Semaphore.protect s spin));
    Mutex.protect m (fun () -> Semaphore.protect s ignore)
  done

let lazily () =
  let is_late = ref false in
  let l =
    Lazy.from_fun (fun () ->
        if not !is_late then spin ();
        7)
  in
  times_out (fun () -> Lazy.force l);
  is_late := true;
  expect "it is forced again" 7 (Lazy.force l)

(* On every worker, tasks that overflow their stack fail alone. *)
let overflows () =
  let rec deep n = if n < 0 then 0 else 1 + deep (n + 1) in
  let outcome i =
    match if i land 1 = 0 then deep 0 else i with n -> n | exception Stack_overflow -> -1
  in
  let outcomes = Array.init 64 outcome in
  Stdlib.Array.iteri (fun i n -> expect "its outcome" (if i land 1 = 0 then -1 else i) n) outcomes

let overflows () =
  let before = Gc.get () in
  Gc.set { before with stack_limit = 100_000 };
  Fun.protect ~finally:(fun () -> Gc.set before) overflows

let () =
  Alcotest.run "interruptible"
    [
      ( "stops",
        [
          case "whatever it does" no_kind_goes_on;
          case "in forks" forks_stop;
          case "in loops and tasks" loops_stop;
          case "when a task cancels it" cancelled_by_a_task;
          case "when a stranger does" cancelled_from_outside;
          case "when it loses a race" races;
          case "when what runs beside it fails" a_failure_beside;
          case "inside of others" nested;
          case "where it waits" waits;
          case "where it bears exceptions" obstinate;
          case "where it bears all exceptions" stubborn;
          case "at once, although others were before" at_once;
        ] );
      ( "is masked",
        [
          case ~seconds:300. "in Scope.protect" protected;
          case "in a batch" in_a_batch;
          case "in a task that goes its own way" in_a_task_apart;
          case "in a thread" in_a_thread;
          case "outside" outside;
        ] );
      ( "leaves nothing behind",
        [
          case ~seconds:600. "in a bracket" brackets;
          case "in locks" locks;
          case "in lazy values" lazily;
          case "in a scope with a daemon" scopes_end;
          case "when stacks overflow" overflows;
        ] );
      ( "iterations are done once",
        Stdlib.List.map (fun (name, loop) -> case name (visited_once loop)) (Loop_forms.over size)
      );
    ]
