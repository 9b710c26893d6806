open Drover_harness

(* [n] messages through [c]. *)

let drover ~domains channel n () =
  let c = channel () in
  let send () =
    for i = 1 to n do
      Drover.Chan.send c i
    done
  and receive () =
    for _ = 1 to n do
      ignore (Drover.Chan.recv c : int)
    done
  in
  ignore (Drover.run ~domains (fun () -> Drover.both send receive) : unit * unit)

let domainslib capacity n () =
  let c = Domainslib.Chan.make_bounded capacity in
  let send () =
    for i = 1 to n do
      Domainslib.Chan.send c i
    done
  in
  let sender = Domain.spawn send in
  for _ = 1 to n do
    ignore (Domainslib.Chan.recv c : int)
  done;
  Domain.join sender

let rounds = 5
let millions n seconds = float n /. seconds /. 1e6

let one_worker n =
  let capacity = 128 in
  let versions =
    [
      ("rendezvous", Drover.Chan.rendezvous, None);
      ("bounded to 1", (fun () -> Drover.Chan.bounded 1), None);
      ( Printf.sprintf "bounded to %d" capacity,
        (fun () -> Drover.Chan.bounded capacity),
        Some (Probe.At_least 5.) );
      ("unbounded", Drover.Chan.unbounded, None);
    ]
  in
  let figure (label, _, goal) seconds =
    Probe.figure ?goal ("one worker, " ^ label) "M/s" (millions n seconds)
  in
  let pass (_, channel, _) = drover ~domains:1 channel n in
  List.map2 figure versions (Turns.medians rounds (List.map pass versions))

let two_domains n capacity =
  let versions =
    [ drover ~domains:2 (fun () -> Drover.Chan.bounded capacity) n; domainslib capacity n ]
  in
  match List.map (millions n) (Turns.medians rounds versions) with
  | [ drover; domainslib ] ->
      let label who = Printf.sprintf "two domains, bounded to %d, %s" capacity who in
      [
        Probe.figure (label "drover") "M/s" drover;
        Probe.figure (label "domainslib") "M/s" domainslib;
        Probe.ratio ~goal:(At_least 2.) (label "drover over domainslib") drover domainslib;
      ]
  | _ -> assert false (* one median for each version *)

let run (s : Probe.settings) =
  let n = Kernel.by_size s.size ~tiny:1000 ~quick:300_000 ~full:3_000_000 in
  one_worker n @ List.concat_map (two_domains n) [ 1; 16; 128; 1024 ]

let probe : Probe.t = { name = "chan"; doc = "messages from one task to another"; run }
