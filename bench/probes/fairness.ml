open Drover_harness
open Drover_kernels
open Drover_show
module Task = Domainslib.Task

(* All jobs are bounded, and a wake-up that is lost ends the program. *)
let patience = 600 (* seconds *)

(* What a heavy job is made of. *)
type work = { pieces : int; rounds : int; (* of a piece *) to_sort : int array }

let work size =
  let pieces = Kernel.by_size size ~tiny:20 ~quick:2_800 ~full:14_000 in
  let n = Kernel.by_size size ~tiny:1_000 ~quick:500_000 ~full:2_500_000 in
  let rng = Random.State.make [| n |] in
  let rounds = List.init 3 (fun _ -> Stretch.rounds_for 100e-6) in
  {
    pieces;
    rounds = List.fold_left Int.max 1 rounds;
    to_sort = Array.init n (fun _ -> Random.State.bits rng);
  }

let piece w = Stretch.work w.rounds

(* What submits jobs, from a thread that runs none of them, and what a heavy one uses. *)
type engine = {
  heavy : (unit -> unit) -> unit;
  small : (unit -> unit) -> unit;
  fork : Forks.t;
  loop : Loop.t;
  sort : int array -> unit;
}

let with_drover ~domains use =
  Drover.Pool.with_pool ~domains @@ fun pool ->
  Drover.Pool.staff pool;
  use (fun f -> ignore (Drover.Pool.async pool f : unit Drover.Promise.t))

let of_drover heavy small =
  { heavy; small; fork = Forks.drover; loop = Loop.drover; sort = Drover.Array.sort Int.compare }

let drover ~domains use = with_drover ~domains (fun submit -> use (of_drover submit submit))

let pool_of_its_own ~domains use =
  with_drover ~domains (fun heavy ->
      with_drover ~domains (fun small -> use (of_drover heavy small)))

let domainslib ~domains use =
  let pool = Task.setup_pool ~num_domains:domains () in
  let submit f = ignore (Task.async pool f : unit Task.promise) in
  let sort a = ignore (Sort.domainslib Int.compare pool a : int array) in
  let fork = Forks.domainslib pool and loop = Loop.domainslib pool in
  Fun.protect
    ~finally:(fun () -> Task.teardown_pool pool)
    (fun () -> use { heavy = submit; small = submit; fork; loop; sort })

type version = { name : string; start : 'r. domains:int -> (engine -> 'r) -> 'r; ours : bool }

let versions =
  [
    { name = "drover"; start = drover; ours = true };
    { name = "drover, a pool for the heavy"; start = pool_of_its_own; ours = false };
    { name = "domainslib"; start = domainslib; ours = false };
  ]

(* Heavy jobs. [count] is called for each piece. *)

let loop w ~count e =
  e.loop ~start:1 ~finish:w.pieces (fun _ ->
      piece w;
      count ())

let both w ~count e =
  let rec tree n =
    if n <= 1 then begin
      piece w;
      count ()
    end
    else
      let half = n / 2 in
      e.fork (fun () -> tree half) (fun () -> tree (n - half))
  in
  tree w.pieces

let sort w ~count:_ e = e.sort (Array.copy w.to_sort)

type kind = { job : string; jobs : int; run : work -> count:(unit -> unit) -> engine -> unit }

let kinds =
  [
    { job = "parallel_for"; jobs = 1; run = loop };
    { job = "nested both"; jobs = 1; run = both };
    { job = "sort"; jobs = 1; run = sort };
    { job = "ten parallel_for at once"; jobs = 10; run = loop };
  ]

(* What [wait] returns when all [jobs] have ended, and how many seconds they took. *)
let heavy e jobs wait =
  let left = Atomic.make (List.length jobs) and ended = Atomic.make 0 in
  let start = Clock.now_ns () in
  let submit job =
    e.heavy (fun () ->
        job ();
        if Atomic.fetch_and_add left (-1) = 1 then Atomic.set ended (Clock.now_ns ()))
  in
  List.iter submit jobs;
  let found = wait (fun () -> Atomic.get ended > 0) in
  (found, float (Atomic.get ended - start) *. 1e-9)

let alone w kind e =
  snd (heavy e [ (fun () -> kind.run w ~count:ignore e) ] (Stream.until ~each:ignore))

type found = { latencies : float array; slower : float; share : float option }

(* Of ten jobs, each is the one that is measured alone. *)
let beside w kind e =
  let alone = Stats.median (Array.init (min 3 kind.jobs) (fun _ -> alone w kind e)) in
  let shares = Shares.create ~jobs:kind.jobs ~total:w.pieces in
  let job i () = kind.run w ~count:(fun () -> Shares.count shares i) e in
  let wait = Stream.beside e.small ~each:(fun () -> Shares.look shares) in
  let latencies, seconds = heavy e (List.init kind.jobs job) wait in
  let share = if kind.jobs = 1 then None else Shares.least shares in
  { latencies; slower = seconds /. (float kind.jobs *. alone); share }

let measure w ~times kind e =
  ignore (alone w kind e : float);
  let times = if kind.jobs = 1 then times else 1 in
  let found = Array.init times (fun _ -> beside w kind e) in
  {
    (found.(0)) with
    latencies = Array.concat (List.map (fun f -> f.latencies) (Array.to_list found));
    slower = Stats.median (Array.map (fun f -> f.slower) found);
  }

(* Figures *)

let waits ?p50 ?p99 label latencies =
  let ms ?goal column q =
    let goal = Option.map (fun ms : Probe.goal -> At_most ms) goal in
    Probe.figure ?goal ~column label "ms" (Stats.quantile q latencies)
  in
  [ ms ?goal:p50 "p50 ms" 0.5; ms ?goal:p99 "p99 ms" 0.99; ms "max ms" 1. ]

let small_jobs w ~domains ~times kind version =
  let found = version.start ~domains (measure w ~times kind) in
  let label = Printf.sprintf "beside %s: %s" kind.job version.name in
  let promised goal = if version.ours then Some goal else None in
  waits label ?p50:(promised 1.) ?p99:(promised 5.) found.latencies
  @ [ Probe.ratio ?goal:(promised (Probe.At_most 1.1)) ~column:"heavy" label found.slower 1. ]
  @ Option.to_list
      (Option.map
         (Probe.figure ?goal:(promised (Probe.At_least 0.5)) ~column:"least share" label
            "of its fair share")
         found.share)

let run (s : Probe.settings) =
  ignore (Unix.alarm patience : int);
  Fun.protect ~finally:(fun () -> ignore (Unix.alarm 0 : int)) @@ fun () ->
  let domains = List.fold_left Int.max 1 s.plan.domains in
  let times = Kernel.by_size s.size ~tiny:1 ~quick:3 ~full:5 in
  let w = work s.size in
  let versions = if s.plan.brief then [ List.hd versions ] else versions in
  let of_kind kind = List.concat_map (small_jobs w ~domains ~times kind) versions in
  let late (label, p99, latenesses) = waits label ~p99 latenesses in
  List.concat_map of_kind kinds
  @ List.concat_map late (Lateness.all s.size ~domains ~piece:(fun () -> piece w))

let doc =
  "how long ready work waits: small jobs, one every 2 ms, beside heavy ones with bodies of 100 us; \
   how much longer the heavy ones take, and the least part of its fair share that one of ten gets \
   in any second; how late timers are"

let probe : Probe.t = { name = "fairness"; doc; run }
