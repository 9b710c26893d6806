(* Programs to watch, most of which end in unusual ways. *)

let sum () =
  Drover.parallel_reduce ~start:1 ~finish:100_000 ~init:0 ~combine:( + ) (fun i -> i mod 7)

let collect () =
  for _ = 1 to 5 do
    Gc.minor ()
  done

(* In one of two tasks, while the other goes on, if it has begun. *)
let in_task stop =
  Drover.run ~domains:2 (fun () ->
      Drover.parallel_for ~start:1 ~finish:2 (fun i ->
          collect ();
          if i = 1 then stop ();
          while true do
            ignore (Sys.opaque_identity (ref i) : int ref)
          done))

(* Its domains have ended: OCaml's runtime does not bear an exec while it starts one. Where a file is
   named, it waits for that. *)
let exec path args =
  ignore (Drover.run ~domains:2 sum : int);
  if Array.length Sys.argv > 2 then
    while not (Sys.file_exists Sys.argv.(2)) do
      Unix.sleepf 0.002
    done;
  Unix.execv path (Array.of_list (path :: args))

let loops () =
  let count = Atomic.make 0 in
  let body _ = Atomic.incr count in
  Drover.run ~domains:1 (fun () ->
      Drover.parallel_for ~start:1 ~finish:1000 body;
      Drover.parallel_for ~start:1 ~finish:10 ignore;
      Drover.parallel_range ~start:1 ~finish:5000 (fun _ _ -> ());
      Drover.parallel_reduce ~start:1 ~finish:2000 ~init:0 ~combine:( + ) Fun.id |> ignore);
  Printf.printf "%d\n" (2 * Atomic.get count)

(* A loop and a fork, of each of which another worker must take a part. *)
let meetings () =
  let meeting () =
    let arrived = Atomic.make 0 in
    fun () ->
      Atomic.incr arrived;
      while Atomic.get arrived < 2 do
        Domain.cpu_relax ()
      done
  in
  Drover.run ~domains:2 (fun () ->
      let meet = meeting () in
      Drover.parallel_for ~start:1 ~finish:2 (fun _ -> meet ());
      let meet = meeting () in
      ignore (Drover.both meet meet : unit * unit))

(* Programs that go on until they are killed. Where a file is named, it is there when all has begun. *)

let say_begun () = if Array.length Sys.argv > 2 then Out_channel.with_open_bin Sys.argv.(2) ignore

(* In [n] of two workers, without a word to anybody. *)
let computes n =
  let begun = Atomic.make 0 in
  let compute () =
    if Atomic.fetch_and_add begun 1 = n - 1 then say_begun ();
    while Atomic.get begun > 0 do
      ()
    done
  in
  Drover.run ~domains:2 (fun () -> ignore (Drover.all (List.init n (fun _ -> compute)) : unit list))

(* Collections soon overwrite all that has been told. *)
let collects () =
  let begun = Atomic.make 0 in
  let collect () =
    if Atomic.fetch_and_add begun 1 = 1 then say_begun ();
    while true do
      Gc.minor ()
    done
  in
  Drover.run ~domains:2 (fun () -> ignore (Drover.both collect collect : unit * unit))

(* Three tasks wait for messages that nobody sends, beside one that wakes up from time to time. *)
let waits () =
  Drover.run ~domains:2 (fun () ->
      Drover.Scope.run (fun scope ->
          let messages = Drover.Chan.unbounded () in
          for _ = 1 to 3 do
            Drover.Scope.spawn scope (fun () -> Drover.Chan.recv messages)
          done;
          let rec wake () =
            Drover.sleep 0.4;
            wake ()
          in
          Drover.Scope.spawn scope (fun () ->
              say_begun ();
              wake ())))

(* Beside these, each of two tasks wants the lock that the other has. *)
let crossed () =
  let ledger = Drover.Mutex.create ~name:"the ledger" ()
  and journal = Drover.Mutex.create ~name:"the journal" ()
  and both_have_one = Drover.Latch.create 2 in
  let[@inline never] lock mutex =
    Drover.Mutex.lock mutex;
    ignore (Sys.opaque_identity 0 : int)
  in
  let transfer first second () =
    lock first;
    Drover.Latch.count_down both_have_one;
    Drover.Latch.wait both_have_one;
    lock second
  in
  Drover.run ~domains:2 (fun () ->
      Drover.Scope.run (fun scope ->
          Drover.Scope.spawn scope (transfer ledger journal);
          Drover.Scope.spawn scope (transfer journal ledger);
          while true do
            Drover.sleep 0.3;
            say_begun ()
          done))

(* A task computes with a lock that others want. *)
let holds () =
  let cache = Drover.Mutex.create ~name:"the cache" () and is_held = Drover.Latch.create 1 in
  let[@inline never] compute () : unit =
    Drover.Latch.count_down is_held;
    while true do
      ignore (Sys.opaque_identity 0 : int)
    done
  in
  let[@inline never] refill () =
    Drover.Mutex.protect cache compute;
    ignore (Sys.opaque_identity 0 : int)
  in
  let[@inline never] look_up () =
    Drover.Mutex.protect cache ignore;
    ignore (Sys.opaque_identity 0 : int)
  in
  Drover.run ~domains:2 (fun () ->
      Drover.Scope.run (fun scope ->
          Drover.Scope.spawn scope (fun () -> Drover.named "refill" refill);
          Drover.Latch.wait is_held;
          for _ = 1 to 2 do
            Drover.Scope.spawn scope look_up
          done;
          Drover.sleep 0.3;
          say_begun ()))

let calls () =
  let[@inline never] call () =
    Unix.sleep 3600;
    ignore (Sys.opaque_identity 0 : int)
  in
  Drover.run ~domains:2 (fun () ->
      Drover.Scope.run (fun scope ->
          Drover.Scope.spawn scope call;
          Drover.sleep 0.1;
          say_begun ()))

let () =
  match Sys.argv.(1) with
  | "exit" -> in_task (fun () -> exit 5)
  | "raise" -> Drover.run (fun () -> Drover.parallel_for ~start:1 ~finish:9 (fun _ -> raise Exit))
  | "forever" -> in_task ignore
  | "kill" -> in_task (fun () -> Unix.kill (Unix.getpid ()) Sys.sigkill)
  | "_exit" -> in_task (fun () -> Unix._exit 6)
  | "exec" -> exec Sys.executable_name [ "sum" ]
  | "exec shell" -> exec "/bin/sh" [ "-c"; "exit 7" ]
  | "loops" -> loops ()
  | "meetings" -> meetings ()
  | "computes" -> computes 2
  | "computes alone" -> computes 1
  | "collects" -> collects ()
  | "waits" -> waits ()
  | "crossed" -> crossed ()
  | "holds" -> holds ()
  | "calls" -> calls ()
  | "sum" -> if sum () > 0 then exit 8
  | mode -> failwith mode
