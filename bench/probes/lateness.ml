open Drover_harness
open Drover_kernels

let ms_late ~since seconds = (float (Clock.now_ns () - since) *. 1e-6) -. (seconds *. 1e3)

let fork_until over =
  while not (over ()) do
    ignore (Sys.opaque_identity (Fib.drover 25) : int)
  done

(* Whether so many seconds have gone by: a program that is not stopped in time ends then. *)
let out_of patience =
  let end_ = Clock.now_ns () + int_of_float (patience *. 1e9) in
  fun () -> Clock.now_ns () > end_

let sleep seconds =
  let since = Clock.now_ns () in
  Drover.sleep seconds;
  ms_late ~since seconds

(* Ten iterations of a long loop sleep. *)
let sleepers ~domains ~pieces ~piece =
  let late = Array.make 10 0. in
  let apart = max 1 (pieces / 10) in
  let iteration i =
    if i mod apart = 0 && i / apart < 10 then late.(i / apart) <- sleep 0.1 else piece ()
  in
  Drover.run ~domains (fun () -> Drover.parallel_for ~start:0 ~finish:(pieces - 1) iteration);
  late

let limits ~domains ~patience ~items =
  let late = Array.make items 0. in
  let item i =
    let since = Clock.now_ns () in
    (try Drover.Scope.with_timeout 0.05 (fun () -> fork_until (out_of patience))
     with Drover.Scope.Timeout -> ());
    late.(i) <- ms_late ~since 0.05
  in
  Drover.run ~domains (fun () -> Drover.parallel_for ~start:0 ~finish:(items - 1) item);
  late

let ticks ~patience ~count =
  Drover.run ~domains:4 @@ fun () ->
  Drover.Scope.run @@ fun s ->
  let ended = Atomic.make false and impatient = out_of patience in
  for _ = 1 to 2 do
    Drover.Scope.spawn s (fun () -> fork_until (fun () -> Atomic.get ended || impatient ()))
  done;
  let ticker () =
    let late = Array.init count (fun _ -> sleep 0.02) in
    Atomic.set ended true;
    late
  in
  Drover.await (Drover.Scope.async s ticker)

let all size ~domains ~piece =
  let pieces = Kernel.by_size size ~tiny:20 ~quick:20_000 ~full:100_000 in
  let patience = Kernel.by_size size ~tiny:0.5 ~quick:5. ~full:5. in
  let items = Kernel.by_size size ~tiny:2 ~quick:40 ~full:200 in
  let count = Kernel.by_size size ~tiny:3 ~quick:30 ~full:300 in
  [
    ("late: sleep 0.1 in an iteration", 20., sleepers ~domains ~pieces ~piece);
    ("late: with_timeout 0.05 around forks", 60., limits ~domains ~patience ~items);
    ("late: ticks of 20 ms beside two that fork, pool of four", 100., ticks ~patience ~count);
  ]
