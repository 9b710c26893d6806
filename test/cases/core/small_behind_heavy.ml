(* A server's small request waited for most of a heavy one in the same pool. *)

(* How much of the heavy job is done. *)
let done_ = Atomic.make 0

let piece seconds =
  Case.spin seconds;
  Atomic.incr done_

let rec tree n =
  if n <= 1 then piece 100e-6
  else ignore (Drover.both (fun () -> tree (n / 2)) (fun () -> tree (n - (n / 2))) : unit * unit)

let for_ n = Drover.parallel_for ~start:1 ~finish:n (fun _ -> piece 100e-6)

let sort n =
  let slow_compare a b =
    piece 5e-6;
    Int.compare a b
  in
  Drover.Array.sort slow_compare (Array.init n (fun i -> i * 7919 mod 30_011))

(* The largest part of the heavy job that is done while a small one waits. *)
let longest_wait pool heavy =
  let finished = Atomic.make false and longest = ref 0 in
  Atomic.set done_ 0;
  let all =
    Drover.Pool.async pool (fun () ->
        heavy ();
        Atomic.set finished true)
  in
  while not (Atomic.get finished) do
    Unix.sleepf 0.01;
    let before = Atomic.get done_ in
    let waited () = Atomic.get done_ - before in
    longest := max !longest (Drover.await (Drover.Pool.async pool waited))
  done;
  Drover.await all;
  float !longest /. float (Atomic.get done_)

let () =
  Case.main ~seconds:60. @@ fun () ->
  let pool = Drover.Pool.create ~domains:2 () in
  Drover.Pool.staff pool;
  let heavy = [ (fun () -> for_ 10_000); (fun () -> tree 10_000); (fun () -> sort 20_000) ] in
  let waits = List.map (longest_wait pool) heavy in
  Drover.Pool.close pool;
  let percent = List.map (fun w -> Printf.sprintf "%.0f%%" (100. *. w)) waits in
  Case.expect
    (Case.quantile 1. waits < 0.1)
    "small jobs wait for %s of a loop, forks and a sort of half a second"
    (String.concat ", " percent)
