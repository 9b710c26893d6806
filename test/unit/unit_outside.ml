(* What comes from outside the pools, timers, descriptors and signals; and programs that lack what
   these need. *)

open Test_support
open Drover
open Stdlib

let moment = 0.002
let never () = await (fst (Promise.create ()))

exception Stop

(* Programs of their own. All of them say that they are fine, at their end. *)

let scene name play =
  {
    Child.name;
    play =
      (fun () ->
        play ();
        print_endline "fine");
  }

let rec open_files n =
  if n = 0 then []
  else
    match Unix.openfile "/dev/null" [ O_RDONLY; O_CLOEXEC ] 0 with
    | fd -> fd :: open_files (n - 1)
    | exception Unix.Unix_error ((EMFILE | ENFILE), _, _) -> []

let timers () =
  sleep moment;
  Failing.raises "a timeout" Scope.Timeout (fun () -> Scope.with_timeout moment never)

(* The main thread waits for another. *)
let wait_for_thread () =
  let p, r = Promise.create () in
  let fulfil () =
    Thread.delay moment;
    Promise.fulfil r ()
  in
  let t = Thread.create fulfil () in
  await p;
  Thread.join t

let without_descriptors =
  scene "no descriptor is left, and then there are some" (fun () ->
      let p = Pool.create ~domains:2 () in
      let fds = open_files max_int in
      wait_for_thread ();
      Pool.run p timers;
      List.iter Unix.close fds;
      wait_for_thread ();
      Pool.run p timers)

let wait_for_child child =
  match Unix.waitpid [] child with _, WEXITED 0 -> () | _ -> failwith "the child failed"

let forked =
  scene "fork after timers" (fun () ->
      run ~domains:1 (fun () ->
          timers ();
          match Unix.fork () with
          | 0 ->
              timers ();
              Unix._exit 0
          | child ->
              timers ();
              wait_for_child child))

(* Both wait at the same time, for many wake-ups. *)
let fork_shares_nothing =
  scene "parent and child wait" (fun () ->
      wait_for_thread ();
      match Unix.fork () with
      | 0 ->
          for _ = 1 to 100 do
            wait_for_thread ()
          done;
          Unix._exit 0
      | child ->
          for _ = 1 to 100 do
            wait_for_thread ()
          done;
          wait_for_child child)

(* With [OCAMLRUNPARAM=d=1]. *)
let one_domain =
  scene "threads in a pool of one, where there is no other domain" (fun () ->
      let p = Pool.create ~domains:1 () in
      let inside = Atomic.make 0 in
      let visit () =
        Pool.run p (fun () ->
            Atomic.incr inside;
            while Atomic.get inside < 2 do
              sleep moment
            done)
      in
      let keep () =
        Pool.run p (fun () ->
            Atomic.incr inside;
            Thread.delay 0.02)
      in
      let threads = List.map (fun f -> Stranger.thread f) [ keep; visit; visit; visit ] in
      List.iter (fun wait -> wait ()) threads;
      Pool.close p)

(* With [OCAMLRUNPARAM=d=2]. The thread begins while there is no room for a domain, most likely. *)
let room_later =
  scene "a thread beside a worker, where there is room for a domain later only" (fun () ->
      run ~domains:1 (fun () ->
          let other = Domain.spawn (fun () -> Thread.delay 0.05) in
          Stranger.thread (fun () -> run ~domains:1 ignore) ();
          Domain.join other))

(* The thread that serves timers lives on a worker's domain, and others need it when that ends. *)
let host_ends =
  scene "a domain with the timers' thread ends" (fun () ->
      let others = Pool.create ~domains:2 () in
      let main = Domain.self () in
      let sleeper = ref None in
      run ~domains:2 (fun () ->
          let started = Atomic.make false in
          let there () =
            if Domain.self () <> main && not (Atomic.exchange started true) then begin
              sleep moment;
              sleeper := Some (Pool.async others (fun () -> sleep 0.05))
            end
          in
          while not (Atomic.get started) do
            ignore (both Domain.cpu_relax there : unit * unit)
          done);
      (* Which need not wait for the sleeper. *)
      await (Option.get !sleeper);
      Pool.close others)

let interrupts =
  scene "the handler's exception" (fun () ->
      Sys.catch_break true;
      let fulfil_and_interrupt r i () =
        ignore (Thread.sigmask SIG_BLOCK [ Sys.sigint ] : int list);
        Thread.delay 0.0003;
        Promise.fulfil r ();
        for _ = 1 to i mod 100 * 10 do
          Domain.cpu_relax ()
        done;
        Unix.kill (Unix.getpid ()) Sys.sigint
      in
      for i = 1 to 500 do
        let p, r = Promise.create () in
        try
          let t = Thread.create (fulfil_and_interrupt r i) () in
          (try await p with Sys.Break -> ());
          Thread.join t;
          Thread.delay 0.0003
        with Sys.Break -> ()
      done;
      try Thread.delay 0.01 with Sys.Break -> ())

(* What a task is to settle keeps nothing of the threads that were interrupted while they awaited it. *)
let leaves_nothing =
  scene "waits that a handler's exception ends" (fun () ->
      let sent = Atomic.make 0 and received = Atomic.make 0 in
      let handle _ =
        Atomic.incr received;
        raise Stop
      and interrupt () =
        ignore (Thread.sigmask SIG_BLOCK [ Sys.sigusr1 ] : int list);
        Thread.delay 0.0003;
        Atomic.incr sent;
        Unix.kill (Unix.getpid ()) Sys.sigusr1
      in
      Sys.set_signal Sys.sigusr1 (Signal_handle handle);
      let rec in_any_case f = try f () with Stop -> in_any_case f in
      let interrupted p =
        let t = Thread.create interrupt () in
        (try await p with Stop -> ());
        in_any_case (fun () ->
            Thread.join t;
            while Atomic.get received < Atomic.get sent do
              Thread.yield ()
            done)
      in
      let go, resolver = Promise.create () in
      let pool = Pool.create ~domains:1 () in
      let task = async (fun () -> await go) and alone = Pool.async pool (fun () -> await go) in
      let round () =
        for _ = 1 to 200 do
          interrupted task;
          interrupted alone
        done
      in
      Leak.check "live words" ~limit:1_000 Leak.live_words round;
      Promise.fulfil resolver ();
      await task;
      Pool.close pool)

(* Child processes *)

let blocked_signals () =
  let lines = Unix.open_process_args_in "grep" [| "grep"; "SigBlk"; "/proc/self/status" |] in
  let line = In_channel.input_all lines in
  ignore (Unix.close_process_in lines : Unix.process_status);
  line

(* Calls [f] once on the caller's domain and once on a worker's. *)
let on_both f =
  let main = Domain.self () in
  let here = Atomic.make false and there = Atomic.make false in
  let task () =
    if not (Atomic.exchange (if Domain.self () = main then here else there) true) then f ()
  in
  run ~domains:2 (fun () ->
      while not (Atomic.get here && Atomic.get there) do
        ignore (both task task : unit * unit)
      done)

let clean_masks =
  scene "what a child process inherits" (fun () ->
      let outside = blocked_signals () in
      let check () = Stranger.expect "blocked" outside (blocked_signals ()) in
      on_both check;
      run ~domains:2 (fun () ->
          check ();
          blocking check);
      Sys.set_signal Sys.sigterm (Signal_handle ignore);
      on_both (fun () -> blocking check))

(* In this process *)

let keeps_results () =
  let stubborn () =
    (try never () with Cancelled Scope.Timeout -> ());
    7
  in
  Stranger.expect "a result that came late" 7 (Scope.with_timeout moment stubborn);
  let has_cleaned_up = ref false in
  Scope.with_timeout moment (fun () -> try never () with Cancelled _ -> has_cleaned_up := true);
  Stranger.expect "what was done" true !has_cleaned_up

let with_pipe f =
  let out_of, into = Unix.pipe ~cloexec:true () in
  Fun.protect
    (fun () -> f out_of into)
    ~finally:(fun () ->
      Unix.close out_of;
      Unix.close into)

let write into = ignore (Unix.write_substring into "x" 0 1 : int)

let readable () =
  with_pipe (fun out_of into ->
      wait_writable into;
      let order = Atomic.make 0 in
      let read () =
        wait_readable out_of;
        Stranger.expect "after the write" 1 (Atomic.get order)
      and write () =
        sleep moment;
        Atomic.set order 1;
        write into
      in
      ignore (both read write : unit * unit);
      wait_readable out_of)

let many_are_readable () =
  let rec with_pipes n pipes f =
    if n = 0 then f pipes else with_pipe (fun r w -> with_pipes (n - 1) ((r, w) :: pipes) f)
  in
  with_pipes 100 [] (fun pipes ->
      Scope.run (fun s ->
          List.iter (fun (r, _) -> Scope.spawn s (fun () -> wait_readable r)) pipes;
          Scope.spawn s (fun () ->
              List.iteri
                (fun i (_, w) ->
                  if i mod 10 = 0 then sleep moment;
                  write w)
                pipes)))

let waits_are_cancelled () =
  with_pipe (fun out_of into ->
      Failing.raises "reader" Scope.Timeout (fun () ->
          Scope.with_timeout moment (fun () -> wait_readable out_of));
      Unix.set_nonblock into;
      let full = Bytes.make 65536 'x' in
      (try
         while true do
           ignore (Unix.write into full 0 65536 : int)
         done
       with Unix.Unix_error ((EAGAIN | EWOULDBLOCK), _, _) -> ());
      Failing.raises "writer" Scope.Timeout (fun () ->
          Scope.with_timeout moment (fun () -> wait_writable into)))

(* Whoever opens something meanwhile gets a lower number than that of the descriptor that is closed. *)
let high_pipe () =
  let lower = List.init 8 (fun _ -> Unix.dup ~cloexec:true Unix.stdin) in
  let pipe = Unix.pipe ~cloexec:true () in
  List.iter Unix.close lower;
  pipe

let closed () =
  let out_of, into = high_pipe () in
  Unix.close into;
  wait_readable out_of;
  Unix.close out_of;
  match wait_readable out_of with
  | () -> failwith "waits for a descriptor that is closed"
  | exception Unix.Unix_error (EBADF, _, _) -> ()

(* The system does not tell of that: so it takes up to a second. *)
let closed_meanwhile () =
  let out_of, into = high_pipe () in
  let close () =
    sleep moment;
    Unix.close out_of
  in
  run ~domains:2 (fun () -> ignore (both (fun () -> wait_readable out_of) close : unit * unit));
  Unix.close into

(* Many descriptors *)

let on_each f =
  f ();
  List.iter (fun domains -> run ~domains f) [ 1; 2; 4 ]

let many = 2000
let limits = Printf.sprintf "ulimit -n %d 2> /dev/null" (2 * many)
let no_room = "no room for so many descriptors"

(* Those that are opened after [n] others. *)
let scene_beyond n name play =
  {
    Child.name;
    play =
      (fun () ->
        let fds = open_files n in
        if List.length fds = n then play () else print_endline no_room);
  }

let above_1023 =
  scene_beyond many "numbers above 1,023" (fun () ->
      on_each timers;
      wait_for_thread ();
      List.iter on_each [ readable; many_are_readable; waits_are_cancelled; closed ];
      print_endline "fine")

(* Prints how long a job from outside waits for the idle worker that keeps a timer: the median. A caller that
   awaited the job would lend its thread. *)
let starts_after n =
  scene_beyond n (Printf.sprintf "a job after %d files" n) (fun () ->
      let p = Pool.create ~domains:2 ~adaptive:false () in
      let over, end_ = Promise.create () in
      let timer = Pool.async p (fun () -> Scope.with_timeout 3600. (fun () -> await over)) in
      let delay _ =
        Thread.delay 0.013;
        let begun = Atomic.make 0. and start = Unix.gettimeofday () in
        let job = Pool.async p (fun () -> Atomic.set begun (Unix.gettimeofday ())) in
        while Atomic.get begun = 0. do
          Thread.delay 1e-4
        done;
        await job;
        Atomic.get begun -. start
      in
      let delays = List.sort Float.compare (List.init 61 delay) in
      Promise.fulfil end_ ();
      await timer;
      Pool.close p;
      Printf.printf "%f\n" (List.nth delays 30))

(* Signals *)

let kill () = Unix.kill (Unix.getpid ()) Sys.sigusr1
let until_usr1 f = Scope.run_until_signal ~signals:[ Sys.sigusr1 ] f

let ends_on_signal () =
  let stopped what f = Failing.raises what (Scope.Signalled Sys.sigusr1) f in
  stopped "the body" (fun () ->
      until_usr1 (fun s ->
          Scope.spawn s kill;
          never ()));
  stopped "tasks" (fun () ->
      until_usr1 (fun s ->
          Scope.spawn s never;
          Scope.spawn s kill));
  stopped "nested" (fun () ->
      until_usr1 (fun _ ->
          stopped "inner" (fun () ->
              until_usr1 (fun _ ->
                  kill ();
                  never ()));
          never ()))

let comes_back () =
  let count = Atomic.make 0 in
  let before = Sys.signal Sys.sigusr1 (Signal_handle (fun _ -> Atomic.incr count)) in
  Stranger.expect "value" 3 (until_usr1 (fun _ -> 3));
  Failing.raises "its own exception" Stop (fun () -> until_usr1 (fun _ -> raise Stop));
  ignore
    (Scope.run (fun s ->
         Scope.spawn s (fun () -> until_usr1 ignore);
         until_usr1 ignore));
  kill ();
  while Atomic.get count = 0 do
    sleep moment
  done;
  Sys.set_signal Sys.sigusr1 before

let number_of_domains () =
  let size text =
    Unix.putenv "DROVER_DOMAINS" text;
    Fun.protect
      (fun () -> run (fun () -> Pool.size (Option.get (Pool.current ()))))
      ~finally:(fun () -> Unix.putenv "DROVER_DOMAINS" "")
  in
  Stranger.expect "three" 3 (size "3");
  Stranger.expect "one" 1 (size "1");
  List.iter
    (fun text -> Failing.misuse "Drover: the variable DROVER_DOMAINS " (fun () -> size text))
    [ "0"; "-1"; "x"; "1.5"; " 2" ];
  Failing.raises "no room"
    (Invalid_argument
       "Drover: the variable DROVER_DOMAINS is \"1000\", but OCaml has room for 128 domains \
        (OCAMLRUNPARAM=d=...)") (fun () -> size "1000")

let case name f = Watchdog.case name (fun () -> on_each f)

(* Skips the test where the system has no room. *)
let output child =
  let e = Child.ending child in
  Alcotest.(check string) "errors" "" e.errors;
  if e.output = no_room ^ "\n" then begin
    print_endline no_room;
    Alcotest.skip ()
  end;
  e.output

let plays ?parameters ?limits scene =
  Watchdog.case scene.Child.name (fun () ->
      Alcotest.(check string) "output" "fine\n" (output (Child.start ?parameters ?limits scene)))

let after_none = starts_after 0
let after_many = starts_after many

(* Both at the same time, beside what else the machine does. *)
let starts_as_soon () =
  let none = Child.start after_none and many = Child.start ~limits after_many in
  let none = float_of_string (String.trim (output none)) in
  let many = float_of_string (String.trim (output many)) in
  let delays = Printf.sprintf "after %f s, and %f s with many descriptors" none many in
  Alcotest.(check bool) delays true (many < 20. *. none)

let scenes =
  [
    without_descriptors;
    forked;
    fork_shares_nothing;
    host_ends;
    interrupts;
    leaves_nothing;
    clean_masks;
  ]

let () =
  Child.main
    ([ one_domain; room_later; above_1023; after_none; after_many ] @ scenes)
    (fun () ->
      Alcotest.run "unit outside"
        [
          ( "programs",
            plays one_domain ~parameters:"d=1"
            :: plays room_later ~parameters:"d=2"
            :: List.map (fun s -> plays s) scenes );
          ( "descriptors",
            [
              case "readable" readable;
              case "many" many_are_readable;
              case "cancelled" waits_are_cancelled;
              case "closed" closed;
              Watchdog.case "closed meanwhile" closed_meanwhile;
              plays ~limits above_1023;
              Watchdog.case "a job starts as soon with many open" starts_as_soon;
            ] );
          ("timeouts", [ case "keep results" keeps_results ]);
          ("signals", [ case "end a scope" ends_on_signal; case "come back" comes_back ]);
          ("environment", [ Watchdog.case "number of domains" number_of_domains ]);
        ])
