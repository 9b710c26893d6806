(* Here: what the cores of this machine do to each other, and the predictions with that.

   Work takes longer where others work beside it: caches and memory are shared, collections stop
   everybody, loops give parts away. How much longer is work inflation (Olivier, de Supinski, Schulz
   and Prins, Characterizing and mitigating work time inflation in task parallel programs, SC 2012):
   the time of all tasks on several workers over that on one. It says nothing of the time in which
   workers find nothing to do. That follows from work, span and burden, as ever, of a program each of
   whose forks, loops and tasks takes that much longer. *)

open Drover_show
module S = Drover.Scalability

type t = {
  cores : int; (* of the trials on several *)
  one : float; (* seconds of work on one core; see [Trial.busy] *)
  several : float; (* on all of them together *)
  collections : float; (* the part of [several - one] that went into collections *)
  speedup : float; (* as measured: the median *)
  speedups : float list; (* of all pairs of trials *)
  disturbed : bool; (* by other programs *)
  lost : bool;
}

(* Trials *)

let most_pairs = 5
let enough = 5. (* seconds *)

let of_pairs pairs =
  let median which f = Stats.median (Array.of_list (List.map (fun pair -> f (which pair)) pairs)) in
  let one = median fst and several = median snd in
  let busy (t : Trial.t) = t.busy
  and collecting (t : Trial.t) = t.collecting
  and seconds (t : Trial.t) = t.seconds in
  let disturbed = List.filter (fun (_, (t : Trial.t)) -> t.disturbed) pairs in
  {
    cores = (snd (List.hd pairs)).Trial.workers;
    one = one busy;
    several = several busy;
    collections = several collecting -. one collecting;
    speedup = one seconds /. several seconds;
    speedups = List.map (fun ((a : Trial.t), (b : Trial.t)) -> a.seconds /. b.seconds) pairs;
    disturbed = 2 * List.length disturbed > List.length pairs;
    lost = List.exists (fun ((a : Trial.t), (b : Trial.t)) -> a.lost + b.lost > 0) pairs;
  }

(* On one core and on all in turns; [None] if there is only one. *)
let measure program ~rewind =
  let run workers =
    rewind ();
    Trial.run program ~workers
  in
  let until = Unix.gettimeofday () +. enough in
  let rec go pairs =
    if List.length pairs = most_pairs || (pairs <> [] && Unix.gettimeofday () > until) then
      Ok (Some (of_pairs pairs))
    else
      match Result.bind (run 1) (fun one -> Result.map (fun all -> (one, all)) (run 0)) with
      | Error _ as error -> error
      | Ok (_, { workers; _ }) when workers < 2 -> Ok None
      | Ok pair -> go (pair :: pairs)
  in
  go []

(* Predictions *)

(* What is outside of forks, loops and tasks runs alone, and so takes what it takes. *)
let alone t (m : S.t) =
  let add (work, span) (s : S.site) = (work +. s.work, span +. s.span) in
  let work, span = List.fold_left add (0., 0.) (List.filter S.is_outside m.sites) in
  (Float.min work (0.99 *. t.one), span)

(* How much longer what is in them takes, on the cores of the trials. *)
let inflation t (m : S.t) =
  let outside, _ = alone t m in
  Float.max (1. /. float t.cores) ((t.several -. outside) /. (t.one -. outside))

(* What is in them takes [factor] times what it took in a trial on one core: when all cores work, and
   [on_span] times when few do, as on the span. The profile is only asked for proportions: it is less
   exact where strands are very short. *)
let inflate ?on_span t (m : S.t) factor : S.t =
  let work, span = alone t m in
  let inside = m.work -. work in
  let here factor = if inside > 0. then factor *. (t.one -. work) /. inside else 1. in
  let longer factor total part = part +. (here factor *. (total -. part)) in
  let on_span = Option.value on_span ~default:factor in
  {
    m with
    work = longer factor m.work work;
    span = longer on_span m.span span;
    burdened_span = longer on_span m.burdened_span span;
  }

(* The speed-ups over one core, which inflates nothing. *)
let with_factor ?on_span t (m : S.t) ~cores factor : S.prediction =
  let inflated = inflate ?on_span t m factor in
  let p = S.predict inflated ~cores in
  let over speedup = speedup *. t.one /. inflated.work in
  { lower = over p.lower; likely = over p.likely; upper = over p.upper }

(* Up to the cores of the trials inflation grows with each core. Beyond them nothing is known: it is
   likely to stay, and goes on to grow at worst, as where all share one memory. *)
let predict t (m : S.t) ~cores : S.prediction =
  if cores = 1 then S.predict m ~cores
  else
    let most = inflation t m in
    let upto cores = 1. +. ((most -. 1.) *. float (cores - 1) /. float (t.cores - 1)) in
    let known = upto (Int.min cores t.cores) in
    let likely = with_factor t m ~cores known in
    let worst =
      if most > 1. then with_factor t m ~cores (upto cores) ~on_span:known
      else with_factor t m ~cores 1.
    in
    { likely with lower = worst.lower }
