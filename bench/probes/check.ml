open Drover_harness

let checks n () =
  for _ = 1 to n do
    Drover.Scope.check ()
  done

let[@inline never] nothing () = ()

let calls n () =
  for _ = 1 to n do
    nothing ()
  done

let in_task f () = Drover.run ~domains:1 f

let run (s : Probe.settings) =
  let n = Kernel.by_size s.size ~tiny:1000 ~quick:3_000_000 ~full:30_000_000 in
  let each seconds = seconds *. 1e9 /. float n in
  let ns label value = Probe.figure label "ns" value in
  match List.map each (Turns.medians 7 [ in_task (checks n); checks n; in_task (calls n) ]) with
  | [ task; outside; call ] ->
      [
        ns "a check in a task" task;
        ns "a check outside any task" outside;
        ns "a call of a function that does nothing" call;
      ]
  | _ -> assert false (* one median for each version *)

let probe : Probe.t = { name = "check"; doc = "looking whether one is cancelled"; run }
