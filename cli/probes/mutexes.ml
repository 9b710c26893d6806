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

let run (s : Probe.settings) =
  let n = Kernel.by_size s.size ~tiny:1000 ~quick:1_000_000 ~full:10_000_000 in
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

let probe : Probe.t = { name = "mutex"; doc = "a lock that nobody else wants"; run }
