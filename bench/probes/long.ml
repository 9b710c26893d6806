open Drover_harness
open Drover_show
module Task = Domainslib.Task

(* Two domains without a scheduler: whether the machine has two processors to spare. *)
let on_domains rounds =
  let other = Domain.spawn (fun () -> Stretch.work rounds) in
  Stretch.work rounds;
  Domain.join other

let on_drover rounds =
  ignore (Drover.both (fun () -> Stretch.work rounds) (fun () -> Stretch.work rounds) : unit * unit)

(* The longest of the waits until the first of [times], and from each to the next, in
   microseconds. *)
let longest_wait start times =
  Array.sort Int.compare times;
  let waited i t = t - if i = 0 then start else times.(i - 1) in
  float (Array.fold_left max 0 (Array.mapi waited times)) *. 1e-3

let jobs = 64

(* Jobs are pending, nested, when the task that forked them goes into a stretch. Each notes when it
   runs. *)
let pending_drover ns =
  let times = Array.make jobs 0 and start = ref 0 in
  let rec nest i =
    if i = jobs then begin
      start := Clock.now_ns ();
      Clock.spin_ns ns
    end
    else
      let note () = times.(i) <- Clock.now_ns () in
      ignore (Drover.both (fun () -> nest (i + 1)) note : unit * unit)
  in
  nest 0;
  longest_wait !start times

let pending_domainslib pool ns =
  let times = Array.make jobs 0 in
  let note i () = times.(i) <- Clock.now_ns () in
  let pending = List.init jobs (fun i -> Task.async pool (note i)) in
  let start = Clock.now_ns () in
  Clock.spin_ns ns;
  List.iter (Task.await pool) pending;
  longest_wait start times

let median times f = Stats.median (Array.init times (fun _ -> f ()))
let seconds f = snd (Clock.time f)

(* A session's run, as the engine sees it. *)
let on engine f =
  Session.use ~domains:2 ~minor_heap_words:None engine (fun ~obtained:_ run -> f run)

let run (s : Probe.settings) =
  let stretch_seconds = Kernel.by_size s.size ~tiny:0.001 ~quick:0.05 ~full:0.5 in
  let rounds = Stretch.rounds_for stretch_seconds and ns = int_of_float (stretch_seconds *. 1e9) in
  let median = median (max 3 s.plan.runs) in
  let alone = median (fun () -> seconds (fun () -> Stretch.work rounds)) in
  let domains = median (fun () -> seconds (fun () -> on_domains rounds)) in
  let both = on (Drover on_drover) (fun run -> median (fun () -> seconds (fun () -> run rounds))) in
  let wait = on (Drover pending_drover) (fun run -> median (fun () -> run ns)) in
  let rival = on (Domainslib pending_domainslib) (fun run -> median (fun () -> run ns)) in
  let wait_label = Printf.sprintf "%s, longest wait from one of %d pending jobs to the next" in
  [
    Probe.figure "one stretch" "ms" (alone *. 1e3);
    Probe.ratio "two domains with one each, over one" domains alone;
    Probe.ratio ~goal:(At_most 1.1) "drover, both of two, over one" both alone;
    Probe.figure ~goal:(At_most 1000.) (wait_label "drover" jobs) "us" wait;
    Probe.figure (wait_label "domainslib" jobs) "us" rival;
  ]

let probe : Probe.t =
  { name = "long"; doc = "two long stretches that do not fork; jobs pending meanwhile"; run }
