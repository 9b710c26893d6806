type site = { place : string; calls : int; work : float; span : float }
type t = { work : float; span : float; burdened_span : float; sites : site list }

let default_steal = 10e-6
let seconds ns = float ns *. 1e-9

let site_of (result : Profile.result) site =
  let of_tally tally = Option.value (Profile.Sites.find_opt site tally) ~default:0 in
  {
    place = Call_site.place site;
    calls = of_tally result.calls;
    work = seconds (of_tally result.work);
    span = seconds (of_tally result.last.path);
  }

let of_profile (result : Profile.result) =
  let sites =
    List.map (fun (site, _) -> site_of result site) (Profile.Sites.bindings result.work)
  in
  {
    work = List.fold_left (fun sum (s : site) -> sum +. s.work) 0. sites;
    span = seconds result.last.span;
    burdened_span = seconds result.last.burdened;
    sites = List.sort (fun (a : site) (b : site) -> Float.compare b.span a.span) sites;
  }

(* One at a time. *)
let is_measuring = Atomic.make false

let measure ?(steal = default_steal) ?(clock = Profile.monotonic) f =
  if not (Atomic.compare_and_set is_measuring false true) then
    invalid_arg "Drover.Scalability.measure: a measurement is in progress";
  let last = ref Profile.origin in
  let run () =
    Profile.turn_on ~clock ~steal:(int_of_float (steal *. 1e9));
    Profile.strand Profile.origin (( := ) last) f
  in
  let outcome = Failure.catch (fun () -> Pool.with_pool ~domains:1 run) in
  let result = Profile.turn_off !last in
  Atomic.set is_measuring false;
  let value = Failure.get outcome in
  (value, of_profile result)

let parallelism t = t.work /. t.span
let burdened_parallelism t = t.work /. t.burdened_span

let outside t =
  match List.find_opt (fun s -> s.place = Call_site.(place outermost)) t.sites with
  | Some s -> s.work /. t.work
  | None -> 0.

type prediction = { lower : float; likely : float; upper : float }

(* Twice the span coefficient of Cilkview. *)
let coefficient = 1.7

let predict t ~cores =
  let p = float cores and burdened = t.burdened_span in
  {
    lower = t.work /. ((t.work /. p) +. (coefficient *. burdened));
    likely = t.work /. (((t.work -. burdened) /. p) +. burdened);
    upper = Float.min p (parallelism t);
  }
