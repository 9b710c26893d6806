open Drover_show
module S = Drover.Scalability

(* A worker wants ten pieces of work, on some eight cores. *)
let enough = 10. *. 8.

let structure (m : S.t) =
  match m.sites with
  | first :: _ when S.burdened_parallelism m < enough && S.is_outside first ->
      [
        Printf.sprintf
          "Most of the span is in code that does not fork (%s): parallelise that first." first.place;
      ]
  | first :: _ when S.parallelism m < enough ->
      [ Printf.sprintf "Most of the span is in %s: divide its work further." first.place ]
  | first :: _ when S.burdened_parallelism m < enough ->
      [
        Printf.sprintf
          "The pieces are small compared to the cost of a steal: let each piece of %s do more, or \
           call it less often with more work."
          first.place;
      ]
  | _ -> []

let inflation (here : Here.t) m =
  let more = Here.inflation here m -. 1. in
  if here.disturbed || more < 0.2 then []
  else
    let why =
      if here.collections > 0.5 *. (here.several -. here.one) then
        "mostly because of collections: allocate less, or try a larger minor heap; drover stat \
         shows them"
      else
        "mostly because of memory and caches, or loops too short to divide: let tasks do more with \
         data that is in their caches, and avoid writing data that others read"
    in
    [
      Printf.sprintf "Tasks take %s longer on %d cores than on one, %s." (Show.percent more)
        here.cores why;
    ]

(* At the places that take a good part of the work, and [n] times something that takes less than [most]
   each. [n] must be large enough for the average to say anything. *)
let small (m : S.t) n ~most ~what ~advice =
  let each (s : S.site) = s.work /. float (n s) in
  let is_small (s : S.site) = s.work > 0.05 *. m.work && n s >= 1000 && each s < most in
  let by_work (a : S.site) (b : S.site) = Float.compare b.work a.work in
  match List.sort by_work (List.filter is_small m.sites) with
  | [] -> []
  | first :: others ->
      let others =
        match List.length others with
        | 0 -> ""
        | 1 -> ", and as little in another place"
        | n -> Printf.sprintf ", and as little in %d other places" n
      in
      [
        Printf.sprintf "%s of %s takes %s%s. %s" what first.place
          (Show.seconds (each first))
          others advice;
      ]

let cheap_iterations m =
  small m
    (fun s -> s.iterations)
    ~most:(float Drover_stat.Cheap.most *. 1e-9)
    ~what:"An iteration" ~advice:Drover_stat.Cheap.advice

(* Less than what some ten forks cost. *)
let small_forks m =
  small m
    (fun s -> if s.iterations > 0 then 0 else s.calls)
    ~most:0.5e-6 ~what:"A fork or task" ~advice:"Fork only where there is more to do."

(* What to do about it. *)
let about (r : Scaling.t) =
  structure r.measured @ cheap_iterations r.measured @ small_forks r.measured
  @ Option.fold r.here ~none:[] ~some:(fun here -> inflation here r.measured)

(* Less is the start of the program and of this one. *)
let least_asleep = 0.1 (* seconds *)

let asleep (r : Scaling.t) =
  let rest = r.seconds -. r.measured.work -. r.measured.measuring in
  if rest < least_asleep || rest < 0.5 *. r.seconds then []
  else
    [
      Printf.sprintf
        "The program ran for %s and worked for %s. In between it slept, in waits and system calls, \
         or had no processor; the predictions leave this out. Within Drover.blocking, system calls \
         sleep at the same time."
        (Show.seconds r.seconds) (Show.seconds r.measured.work);
    ]

let slowed ({ measured = m; _ } : Scaling.t) =
  if m.measuring < 0.1 *. m.work then []
  else
    [
      Printf.sprintf
        "To measure the program's %s of work took %s more; the figures leave that out. Its \
         iterations, forks or tasks are short."
        (Show.seconds m.work) (Show.seconds m.measuring);
    ]

let of_trials (here : Here.t) =
  (if here.disturbed then
     [ "The processors were busy with other programs: measure inflation on a quiet machine." ]
   else [])
  @
  if here.lost then
    [
      "Events were lost, so the inflation is uncertain. Try larger buffers: \
       OCAMLRUNPARAM=e=22,d=16.";
    ]
  else []

let unrecorded (s : Simulated.t) =
  let seconds = float s.recorded.rest *. 1e-9 in
  if seconds = 0. then []
  else
    [
      Printf.sprintf
        "The program has more forks, tasks and waits than are recorded: %s of its work are \
         simulated as if there were as much to do at a time as in the whole."
        (Show.seconds seconds);
    ]

let warnings (r : Scaling.t) =
  asleep r @ slowed r
  @ Option.fold r.here ~none:[] ~some:of_trials
  @ Option.fold r.simulated ~none:[] ~some:unrecorded
