(* Every version of every kernel computes what the serial program does, on any number of domains;
   and every probe ends and yields numbers. *)

open Drover_harness
open Drover_suite

let plan : Measure.plan =
  {
    domains = [ 1; 2; 4 ];
    runs = 1;
    enough_seconds = infinity;
    minor_heap_words = None;
    warm_up_seconds = 0.;
    sample_seconds = 0.;
    brief = false;
  }

let params : Kernel.params = { size = Tiny; rle = None; dir = None }

let measure ?(plan = plan) (k : Kernel.t) =
  match k.prepare params with
  | Error why -> Alcotest.fail why
  | Ok problem -> fst (Measure.kernel plan ~progress:ignore ~name:k.name problem)

(* The measuring checks each result; here remains to see that nothing was left out. *)
let agrees k ~versions () =
  let outcome = measure k in
  let measured version =
    List.filter_map
      (fun (r : Outcome.row) -> if r.version = version then Some r.domains else None)
      outcome.rows
  in
  List.iter
    (fun version -> Alcotest.(check (list int)) version [ 1; 2; 4 ] (measured version))
    versions

let larger_heaps k () =
  let plan = { plan with minor_heap_words = Some 500_000 } in
  ignore (measure ~plan k : Outcome.t)

let finds_figures p () =
  let outcome = Probe.run { size = Tiny; plan } p in
  Alcotest.(check bool) "figures" true (outcome.figures <> []);
  List.iter
    (fun (f : Probe.figure) -> Alcotest.(check bool) f.label true (Float.is_finite f.value))
    outcome.figures

let test : Registry.entry -> _ = function
  | Kernel k ->
      let is_attempt = List.exists (fun (a : Kernel.t) -> a.name = k.name) Attempts.kernels in
      let versions = if is_attempt then [ "drover" ] else [ "drover"; "domainslib" ] in
      Alcotest.test_case k.name `Quick (agrees k ~versions)
  | Probe p -> Alcotest.test_case ("probe " ^ p.name) `Quick (finds_figures p)

let () =
  Alcotest.run "bench kernels"
    [
      ("agree", List.map test Registry.entries);
      ( "minor heaps",
        [ Alcotest.test_case "chosen by the user" `Quick (larger_heaps Drover_kernels.Fib.kernel) ]
      );
    ]
