open Drover_harness

let drover n () =
  let m = Drover.Mutex.create () in
  for _ = 1 to n do
    Drover.Mutex.lock m;
    Drover.Mutex.unlock m
  done

let stdlib n () =
  let m = Stdlib.Mutex.create () in
  for _ = 1 to n do
    Stdlib.Mutex.lock m;
    Stdlib.Mutex.unlock m
  done

let in_task f () = Drover.run ~domains:1 f

(* Short sections, of two workers that both always want the lock. *)
let contended protect n () =
  let count = ref 0 in
  let rec go n =
    if n = 1 then protect (fun () -> incr count)
    else ignore (Drover.both (fun () -> go (n / 2)) (fun () -> go (n - (n / 2))) : unit * unit)
  in
  Drover.run ~domains:2 (fun () -> go n);
  if !count <> n then failwith "mutex: a section was lost"

let contended_drover () = contended (Drover.Mutex.protect (Drover.Mutex.create ()))
let contended_stdlib () = contended (Stdlib.Mutex.protect (Stdlib.Mutex.create ()))

let uncontended n =
  let each seconds = seconds *. 1e9 /. float n in
  let ns label value = Probe.figure label "ns" value in
  match List.map each (Turns.medians 7 [ in_task (drover n); in_task (stdlib n); drover n ]) with
  | [ task; stdlib; outside ] ->
      [
        ns "drover, lock and unlock in a task" task;
        ns "drover, outside any task" outside;
        ns "OCaml's own mutex" stdlib;
        Probe.ratio ~goal:(At_most 2.) "drover over OCaml's own" task stdlib;
      ]
  | _ -> assert false (* one median for each version *)

let wanted_by_two n =
  let each seconds = seconds *. 1e9 /. float n in
  match List.map each (Turns.medians 7 [ contended_drover () n; contended_stdlib () n ]) with
  | [ drover; stdlib ] ->
      [
        Probe.figure "two domains, drover, protect in a fork" "ns" drover;
        Probe.figure "two domains, OCaml's own mutex" "ns" stdlib;
        Probe.ratio ~goal:(At_most 1.) "two domains, drover over OCaml's own" drover stdlib;
      ]
  | _ -> assert false (* one median for each version *)

let run (s : Probe.settings) =
  let n = Kernel.by_size s.size ~tiny:1000 ~quick:1_000_000 ~full:10_000_000 in
  uncontended n @ wanted_by_two (n / 4)

let probe : Probe.t =
  { name = "mutex"; doc = "a lock that nobody else wants, and one that two domains want"; run }
