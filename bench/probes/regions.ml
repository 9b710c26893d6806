open Drover_harness
open Drover_kernels
open Drover_show

(* What a region uses. *)
type engine = { fork : Forks.t; loop : Loop.t }

let serial = { fork = Forks.serial; loop = Loop.serial }
let drover = { fork = Forks.drover; loop = Loop.drover }
let domainslib pool = { fork = Forks.domainslib pool; loop = Loop.domainslib pool }

(* Regions of so many leaves, which take 0.2 us each. *)

let leaves_in_us = 5

let halves leaf engine leaves =
  let half () = Stretch.work (leaf * leaves / 2) in
  engine.fork half half

let rec tree leaf engine leaves =
  if leaves <= 1 then Stretch.work leaf
  else
    let half = leaves / 2 in
    engine.fork (fun () -> tree leaf engine half) (fun () -> tree leaf engine (leaves - half))

let loop leaf engine leaves = engine.loop ~start:1 ~finish:leaves (fun _ -> Stretch.work leaf)
let kinds = [ ("halves", halves); ("tree", tree); ("loop", loop) ]
let lengths = [ 2; 5; 10; 20; 50; 100; 500 ] (* us *)
let longest = List.fold_left max 0 lengths
let stretches = [ 0; 10; 100; 1000; 5000 ] (* us *)

let seconds n ~before f =
  Array.init n (fun _ ->
      before ();
      snd (Clock.time f))

(* But for the tenth that took longest: there the system had given the processor to another program. *)
let mean_of_most a =
  let a = Array.copy a in
  Array.sort Float.compare a;
  let n = Array.length a - (Array.length a / 10) in
  Array.fold_left ( +. ) 0. (Array.sub a 0 n) /. float n

(* The serial form's median over the region's mean, as some regions are over before another domain
   is there. Some regions at first do not count. *)
let speed_up ~leaf ~times region engine length stretch =
  let leaves = length * leaves_in_us in
  let alone = seconds times ~before:ignore (fun () -> region serial leaves) in
  let before () = Stretch.work (stretch * leaves_in_us * leaf) in
  let all = seconds (times + (times / 5)) ~before (fun () -> region engine leaves) in
  Stats.median alone /. mean_of_most (Array.sub all (times / 5) times)

(* A row: the speed-ups of all lengths. Its pool is fresh, so some long regions come first. *)
let row ~leaf ~times region stretch engine =
  for _ = 1 to times do
    region engine (longest * leaves_in_us)
  done;
  List.map (fun length -> speed_up ~leaf ~times region engine length stretch) lengths

(* Programs that do the same, with the spin work of their languages. *)
let programs =
  let program (name, file) = Option.map (fun rival -> (name, rival)) (Rival.find file) in
  List.filter_map program [ ("rayon", "rayon/regions"); ("openmp", "openmp/regions") ]

(* Our row and the rivals', one library after the other, so that a noisy moment hits all. *)
let rows (s : Probe.settings) ~leaf ~domains (kind, region) stretch =
  let often = Kernel.by_size s.size ~tiny:2 ~quick:60 ~full:300 in
  let times = if stretch < 1000 then often else min often 60 in
  let row = row ~leaf ~times (region leaf) stretch in
  let on_pool (engine : _ Kernel.engine) =
    Session.use ~domains ~minor_heap_words:s.plan.minor_heap_words engine (fun ~obtained:_ run ->
        run ())
  in
  let of_program (name, rival) =
    let numbers = List.map string_of_int ([ stretch; domains; times ] @ lengths) in
    (name, Rival.numbers rival (kind :: numbers))
  in
  let rivals () =
    let domainslib = on_pool (Domainslib (fun pool () -> row (domainslib pool))) in
    ("domainslib", domainslib) :: List.map of_program programs
  in
  let ours = on_pool (Drover (fun () -> row drover)) in
  (ours, if s.plan.brief then [] else rivals ())

(* What our regions should gain, if there are others to gain by. *)
let goal ~domains kind stretch length =
  let few = kind = "tree" || stretch > 1000 || domains < 2 in
  Probe.At_least (if few || length < 20 then 0.95 else if length < 50 then 1.2 else 1.4)

let mean cells = Stats.geometric_mean (Array.of_list cells)

let figures (s : Probe.settings) ~domains ((kind, _) as region) ~leaf stretch =
  let ours, rivals = rows s ~leaf ~domains region stretch in
  let label name = Printf.sprintf "%s, %s, %d" name kind stretch in
  let figures ?(goal = fun _ -> None) ?mean_goal (name, row) =
    let cell length =
      Probe.figure ?goal:(goal length) ~column:(string_of_int length) (label name) Probe.as_fast
    in
    let cells = if s.plan.brief then [] else List.map2 cell lengths row in
    cells @ [ Probe.figure ?goal:mean_goal ~column:"mean" (label name) Probe.as_fast (mean row) ]
  in
  let best = List.fold_left (fun best (_, row) -> Float.max best (mean row)) 0. rivals in
  let goal length = Some (goal ~domains kind stretch length) in
  figures ~goal ~mean_goal:(At_least best) ("drover", ours)
  @ List.concat_map (fun rival -> figures rival) rivals

let run (s : Probe.settings) =
  let leaf = max 1 (Stretch.rounds_for 0.2e-6) in
  let domains = List.fold_left max 1 s.plan.domains in
  List.concat_map (fun region -> List.concat_map (figures s ~domains region ~leaf) stretches) kinds

let doc =
  "how many times as fast as serial parallel regions of 2 to 500 us are, after 0 to 5000 us of \
   serial work"
  ^
  if List.length programs = 2 then ""
  else "; rayon's and OpenMP's figures need their programs: dune build @rayon @openmp"

let probe : Probe.t = { name = "regions"; doc; run }
