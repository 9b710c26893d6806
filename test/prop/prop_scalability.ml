(* Measured work and span of random programs are what their structure says, and the simulated
   scheduler is as fast as they promise, on up to 128 workers. *)

open QCheck2
open Test_support
open Simulation
module S = Drover.Scalability

let steal = 20

let rec print = function
  | Strand n -> string_of_int n
  | In_turn ps -> Printf.sprintf "(%s)" (String.concat "; " (List.map print ps))
  | Fork (a, b) -> Printf.sprintf "(%s | %s)" (print a) (print b)

let strand = Gen.map (fun n -> Strand n) (Gen.int_range 1 2000)

let rec gen depth =
  if depth = 0 then strand
  else
    let part = gen (depth - 1) in
    Gen.oneof_weighted
      [
        (1, strand);
        (1, Gen.map (fun ps -> In_turn ps) (Gen.list_size (Gen.int_range 1 3) part));
        (4, Gen.map2 (fun a b -> Fork (a, b)) part part);
      ]

let gen = Gen.bind (Gen.int_range 0 11) gen

(* In closed form: the work, the span, and the burdened span. *)
let rec expected = function
  | Strand n -> (n, n, n)
  | In_turn ps ->
      let add (w, s, b) (w', s', b') = (w + w', s + s', b + b') in
      List.fold_left add (0, 0, 0) (List.map expected ps)
  | Fork (left, right) ->
      let w, s, b = expected left and w', s', b' = expected right in
      (w + w', Int.max s s', Int.max b (b' + steal))

let now = ref 0

let rec execute = function
  | Strand n -> now := !now + n
  | In_turn ps -> List.iter execute ps
  | Fork (a, b) -> ignore (Drover.both (fun () -> execute a) (fun () -> execute b) : unit * unit)

let ns seconds = int_of_float (Float.round (seconds *. 1e9))

let measure program =
  let clock () = !now in
  snd (S.measure ~steal:(float steal *. 1e-9) ~clock (fun () -> execute program))

let is_measured program =
  let m = measure program in
  (ns m.work, ns m.span, ns m.burdened_span) = expected program

(* A greedy scheduler is never more than twice as slow as the best one; ours must first find the
   work. The lower bound is proven with a larger coefficient than the customary one, so a few
   programs of few strands may be slower than it says. *)
let keeps_promise program =
  let work, span, burdened = expected program in
  let m : S.t =
    {
      work = float work;
      span = float span;
      burdened_span = float burdened;
      measuring = 0.;
      sites = [];
    }
  in
  let on workers =
    let time = Simulation.time program ~workers ~steal ~seed:(work + workers) in
    let speedup = float work /. float time in
    let p = S.predict m ~cores:workers in
    let slack = 1. +. 1e-9 in
    speedup <= p.upper *. slack && speedup >= p.lower /. slack
  in
  List.for_all on [ 1; 2; 3; 4; 8; 16; 32; 64; 128 ]

(* Two workers, programs of some size: the likely speed-up is near. *)
let is_likely program =
  let m = measure program in
  let time = Simulation.time program ~workers:2 ~steal ~seed:7 in
  let speedup = m.work *. 1e9 /. float time in
  let likely = (S.predict m ~cores:2).likely in
  S.burdened_parallelism m < 20. || Float.abs ((likely /. speedup) -. 1.) < 0.1

let () =
  let property name law = Watchdog.property ~count:150 ~name ~print gen law in
  (* Always the same programs: the last two laws are no theorems. *)
  let argv = Array.append Sys.argv [| "-s"; "1979" |] in
  QCheck_base_runner.run_tests_main ~argv
    [
      property "work and span are measured" is_measured;
      property "the simulated scheduler keeps the promise" keeps_promise;
      property "two workers are as fast as is likely" is_likely;
    ]
