(* Something raises at the n-th allocation of a join whose forks both fail, for each n: a callback of
   Memprof, which stands for a signal's handler and for a finaliser too. The task that bears that goes
   on, and nothing of the join cancels its next wait. *)

open Test_support

exception Injected
exception Failed_left
exception Failed_right

(* One profile for all domains: that of the first one is theirs, too. *)

let left = Atomic.make 0
let home = Atomic.make (-1) (* the domain that counts, while one does *)
let disarm () = Atomic.set home (-1)

let install () =
  let hit _ =
    if Atomic.get home = (Domain.self () :> int) && Atomic.fetch_and_add left (-1) = 1 then
      raise Injected
    else None
  in
  let tracker = { Gc.Memprof.null_tracker with alloc_minor = hit; alloc_major = hit } in
  ignore (Gc.Memprof.start ~sampling_rate:1.0 ~callstack_size:0 tracker : Gc.Memprof.t)

(* At the [n]-th allocation of the calling domain from when [f] has called its argument; what that
   raises is part of it. *)
let injected n f =
  Atomic.set left n;
  let start () = Atomic.set home (Domain.self () :> int) in
  match f start with
  | () -> disarm ()
  | exception (Injected | Failed_left | Failed_right) -> disarm ()

let until cell =
  while not (Atomic.get cell) do
    Domain.cpu_relax ()
  done

(* The right one fails on another domain, most likely before the left one does. *)
let attempt n =
  let has_begun = Atomic.make false and may_fail = Atomic.make false in
  injected n (fun start ->
      let left () =
        until has_begun;
        Atomic.set may_fail true;
        Unix.sleepf 0.001;
        start ();
        raise_notrace Failed_left
      and right () =
        Atomic.set has_begun true;
        until may_fail;
        raise_notrace Failed_right
      in
      ignore (Drover.both left right : unit * unit));
  match Drover.sleep 1e-5 with () -> None | exception e -> Some e

let each_allocation () =
  for n = 1 to 60 do
    match Drover.run ~domains:2 (fun () -> attempt n) with
    | None -> ()
    | Some e -> Alcotest.failf "allocation %d: then a wait raises %s" n (Printexc.to_string e)
    (* In the scheduler, while the task waited: that cancels the task. *)
    | exception Injected -> ()
  done

let () =
  install ();
  Alcotest.run "unit fork_faults"
    [ ("a join of two failures", [ Watchdog.case "each allocation raises" each_allocation ]) ]
