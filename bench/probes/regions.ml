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
let stretches = [ 0; 10; 100; 1000; 5000 ] (* us *)

let seconds n ~before f =
  Array.init n (fun _ ->
      before ();
      snd (Clock.time f))

let mean a = Array.fold_left ( +. ) 0. a /. float (Array.length a)

(* The serial form's median over the region's mean, as some regions are over before another domain
   is there. Some regions at first do not count. *)
let speed_up ~leaf ~times region engine length stretch =
  let leaves = length * leaves_in_us in
  let alone = seconds times ~before:ignore (fun () -> region serial leaves) in
  let before () = Stretch.work (stretch * leaves_in_us * leaf) in
  let all = seconds (times + (times / 5)) ~before (fun () -> region engine leaves) in
  Stats.median alone /. mean (Array.sub all (times / 5) times)

(* A row for each stretch. *)
let rows ~leaf ~often region engine =
  let row stretch =
    let times = if stretch < 1000 then often else max 2 (often / 5) in
    List.map (fun length -> speed_up ~leaf ~times region engine length stretch) lengths
  in
  List.map row stretches

let figures ~brief label cells =
  let cell length x = Probe.speed ~column:(string_of_int length) label x in
  let mean = Stats.geometric_mean (Array.of_list cells) in
  (if brief then [] else List.map2 cell lengths cells) @ [ Probe.speed ~column:"mean" label mean ]

(* Both libraries, a kind after the other, so that a noisy moment hits both. *)
let run (s : Probe.settings) =
  let often = Kernel.by_size s.size ~tiny:2 ~quick:60 ~full:300 in
  let leaf = max 1 (Stretch.rounds_for 0.2e-6) in
  let domains = List.fold_left max 1 s.plan.domains in
  let of_kind (kind, region) =
    let on name (engine : _ Kernel.engine) =
      let rows =
        Session.use ~domains ~minor_heap_words:s.plan.minor_heap_words engine
          (fun ~obtained:_ run -> run ())
      in
      let label = Printf.sprintf "%s, %s, %d" name kind in
      List.concat (List.map2 (fun us -> figures ~brief:s.plan.brief (label us)) stretches rows)
    in
    let rows = rows ~leaf ~often (region leaf) in
    on "drover" (Drover (fun () -> rows drover))
    @
    if s.plan.brief then []
    else on "domainslib" (Domainslib (fun pool () -> rows (domainslib pool)))
  in
  List.concat_map of_kind kinds

let doc =
  "how many times as fast as serial parallel regions of 2 to 500 us are, after 0 to 5000 us of \
   serial work"

let probe : Probe.t = { name = "regions"; doc; run }
