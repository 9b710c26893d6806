type site = Measured.site = { place : string; calls : int; work : float; span : float }
type t = Measured.t = { work : float; span : float; burdened_span : float; sites : site list }

let default_steal = Measured.default_steal

let measure ?(steal = default_steal) ?(clock = Profile.monotonic) f =
  let turn = Measured.turn () and last = ref Profile.origin in
  let run () =
    Measured.begin_ ~clock ~steal;
    Profile.strand Profile.origin (( := ) last) f
  in
  let measured () =
    if not (Measured.enter turn) then
      invalid_arg "Drover.Scalability.measure: a measurement is in progress";
    let outcome = Failure.catch (fun () -> Pool.with_pool ~domains:1 run) in
    (outcome, Measured.result !last)
  in
  let outcome, measured = Fun.protect measured ~finally:(fun () -> Measured.leave turn) in
  (Failure.get outcome, measured)

let parallelism t = t.work /. t.span
let burdened_parallelism t = t.work /. t.burdened_span

let outside t =
  match List.find_opt (fun s -> s.place = Measured.outermost) t.sites with
  | Some s -> s.work /. t.work
  | None -> 0.

type prediction = { lower : float; likely : float; upper : float }

(* Twice the span coefficient of Cilkview. *)
let coefficient = 1.7

let predict t ~cores =
  if cores < 1 then invalid_arg "Drover.Scalability.predict: cores < 1";
  let p = float cores and burdened = t.burdened_span in
  if cores = 1 then { lower = 1.; likely = 1.; upper = 1. }
  else
    {
      lower = t.work /. ((t.work /. p) +. (coefficient *. burdened));
      likely = t.work /. (((t.work -. burdened) /. p) +. burdened);
      upper = Float.min p (parallelism t);
    }
