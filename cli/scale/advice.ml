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

(* What to do about it. *)
let about (r : Scaling.t) =
  structure r.measured @ Option.fold r.here ~none:[] ~some:(fun here -> inflation here r.measured)

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
        "To measure the program's %s of work took %s more, which the figures leave out: its \
         iterations or forks are short. Let loops call a function for an interval (parallel_range, \
         or for%%par of ppx_drover), and fork only where there is more to do."
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

let warnings (r : Scaling.t) = asleep r @ slowed r @ Option.fold r.here ~none:[] ~some:of_trials
