(* Drover.Bigarray1: slices that two domains take at the same time keep the memory. *)

open Test_support
open Bigarray

let create x : Drover.Bigarray1.float64 =
  let a = Array1.create Float64 C_layout 100 in
  Array1.fill a x;
  a

(* Keeps the slices. *)
let slices a = Drover.Bigarray1.reduce_slices ~init:[] ~combine:( @ ) (fun _ s -> [ s ]) a

(* What has been freed by mistake, others have now. *)
let reuse_memory n =
  Gc.full_major ();
  Gc.full_major ();
  Array.init n (fun _ -> create 0.)

let meet arrived n =
  Atomic.incr arrived;
  while Atomic.get arrived < 2 * n do
    Domain.cpu_relax ()
  done

let rounds = 1000

(* Only the slices of one of the two are kept. *)
let first_slices () =
  let arrays = Array.init rounds (fun i -> create (float i)) in
  let arrived = Atomic.make 0 in
  let take i =
    meet arrived (i + 1);
    slices arrays.(i)
  in
  let other =
    Domain.spawn (fun () ->
        for i = 0 to rounds - 1 do
          ignore (take i)
        done)
  in
  let kept = Array.init rounds take in
  Domain.join other;
  Array.fill arrays 0 rounds (create 0.);
  let others = reuse_memory (2 * rounds) in
  Array.iteri
    (fun i slices ->
      List.iter
        (fun s ->
          if s.{0} <> float i then
            Alcotest.failf "the memory of bigarray %d was freed, and is used" i)
        slices)
    kept;
  ignore (Sys.opaque_identity others)

let () =
  Alcotest.run "unit bigarray"
    [ ("slices", [ Watchdog.case ~seconds:300. "two domains take the first" first_slices ]) ]
