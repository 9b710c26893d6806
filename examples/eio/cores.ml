(* An Eio program whose computations run on all cores. *)

let rec fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)

(* The other fibers go on while another domain computes. *)
let one () =
  let n = Drover_eio.run (fun () -> fib 25) in
  Printf.printf "fib 25 is %d\n" n

(* A computation may be parallel itself. *)
let parallel () =
  let sum () =
    Drover.parallel_reduce ~start:1 ~finish:20 ~init:0 ~combine:( + ) fib
  in
  Printf.printf "and the sum of the first 20 is %d\n" (Drover_eio.run sum)

(* A computation that needs the loop suspends until the loop has answered. *)
let reports () =
  Drover_eio.run (fun () ->
      for i = 1 to 3 do
        let n = fib (10 * i) in
        Drover_eio.in_loop (fun () ->
            Printf.printf "fib %d is %d\n" (10 * i) n)
      done)

(* What nobody wants any more is cancelled. *)
let impatient clock =
  let compute () =
    while true do
      Drover.Scope.check ()
    done
  in
  match
    Eio.Time.with_timeout_exn clock 0.01 (fun () -> Drover_eio.run compute)
  with
  | () -> ()
  | exception Eio.Time.Timeout -> Printf.printf "it takes too long\n"

(* A fiber feeds tasks by way of a channel of four places, and another has what they find. *)
let stream () =
  let numbers = Drover.Chan.bounded 4 and found = Drover.Chan.bounded 4 in
  let feed () =
    List.iter (Drover_eio.Chan.send numbers) [ 5; 10; 15; 20 ];
    Drover.Chan.close numbers
  in
  let compute () =
    Drover_eio.run (fun () ->
        Drover.Chan.iter (fun n -> Drover.Chan.send found (fib n)) numbers);
    Drover.Chan.close found
  in
  let rec print () =
    match Drover_eio.Chan.recv found with
    | n ->
        Printf.printf "%d\n" n;
        print ()
    | exception Drover.Chan.Closed -> ()
  in
  Eio.Fiber.all [ feed; compute; print ]

(* As many at a time as a semaphore has permits. *)
let bounded () =
  let permits = Eio.Semaphore.make 2 in
  let compute n =
    Eio.Semaphore.acquire permits;
    Fun.protect
      (fun () -> Drover_eio.run (fun () -> fib n))
      ~finally:(fun () -> Eio.Semaphore.release permits)
  in
  let numbers = Eio.Fiber.List.map compute [ 5; 10; 15; 20 ] in
  Printf.printf "%s\n" (String.concat " " (List.map string_of_int numbers))

(* What was written for Eio's pool of executors. *)

module Executor_pool = Drover_eio.Executor_pool

let executors env =
  Eio.Switch.run (fun sw ->
      let pool =
        Executor_pool.create ~sw ~domain_count:2 (Eio.Stdenv.domain_mgr env)
      in
      let n =
        Executor_pool.submit_exn pool ~weight:1.0 (fun () -> fib 20)
      in
      Printf.printf "fib 20 is %d\n" n)

let () =
  Eio_main.run (fun env ->
      one ();
      parallel ();
      reports ();
      impatient (Eio.Stdenv.clock env);
      stream ();
      bounded ();
      executors env)
