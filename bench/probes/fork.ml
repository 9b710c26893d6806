open Drover_harness
open Drover_show
open Drover_kernels

let problem n =
  Kernel.Problem
    {
      about = "";
      input = (fun () -> n);
      serial = Fib.serial;
      versions =
        [
          Kernel.serial "closures" Fib.closures;
          Kernel.drover Fib.drover;
          Kernel.domainslib Fib.domainslib;
          Kernel.domainslib ~name:"two promises" Fib.domainslib_pairs;
        ];
      check = Kernel.equal string_of_int;
      note = Fun.const "";
      picture = None;
    }

(* The median of a version, in seconds. *)
let medians plan n =
  let plan = { plan with Measure.domains = [ 1; 2 ] } in
  let outcome, _ = Measure.kernel plan ~progress:ignore ~name:"fork" (problem n) in
  fun ?(domains = 1) version ->
    match Outcome.find outcome ~version ~domains with
    | Some row -> Stats.median row.samples
    | None -> invalid_arg ("Fork.medians: no version " ^ version)

let run (s : Probe.settings) =
  let n = Kernel.by_size s.size ~tiny:12 ~quick:29 ~full:32 in
  let seconds = medians s.plan n in
  let serial = seconds "serial" and closures = seconds "closures" in
  let drover1 = seconds "drover" and drover2 = seconds ~domains:2 "drover" in
  let promise = seconds "domainslib" in
  let ns_a_fork t = t *. 1e9 /. float (Fib.forks n) in
  let above t = ns_a_fork (t -. serial) in
  let in_all label t = Probe.figure label "ns a fork in all" (ns_a_fork t) in
  let fork ?goal label t = Probe.figure ?goal label "ns a fork above serial" (above t) in
  [
    Probe.figure "serial" "ns a node" (serial *. 1e9 /. float (Fib.nodes n));
    in_all "closures" closures;
    in_all "drover, 1 domain" drover1;
    in_all "drover, 2 domains" drover2;
    fork "closures" closures;
    fork ~goal:(At_most 18.) "drover, 1 domain" drover1;
    fork "drover, 2 domains" drover2;
    fork "domainslib, a promise and a call" promise;
    fork "domainslib, two promises" (seconds "two promises");
    fork "domainslib, a promise and a call, 2 domains" (seconds ~domains:2 "domainslib");
    Probe.ratio ~goal:(At_most 1.6) "time of drover over closures" drover1 closures;
    Probe.ratio ~goal:(At_least 12.) "fork of domainslib over drover" (above promise)
      (above drover1);
    Probe.ratio ~goal:(At_least 1.8) "speed-up of drover, 2 domains over 1" drover1 drover2;
  ]

let probe : Probe.t = { name = "fork"; doc = "fib without a cutoff: what a fork costs"; run }
