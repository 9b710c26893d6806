open Drover_show

type plan = {
  domains : int list;
  runs : int;
  enough_seconds : float;
  minor_heap_words : int option;
  warm_up_seconds : float;
  sample_seconds : float;
  brief : bool;
}

exception Wrong_result of string

(* One version on one number of domains, and what is known about it so far. *)
type ('i, 'r) case = {
  version : ('i, 'r) Kernel.version;
  domains : int;
  samples : (int * float) Dynarray.t; (* the turn and the seconds of each *)
  mutable repeats : int option; (* runs in a sample; known after the first run *)
  mutable obtained : int;
  mutable heap : int; (* words of the minor heap, at the end of the latest sample *)
  mutable pauses : Gc_pauses.t;
}

let case version domains =
  {
    version;
    domains;
    samples = Dynarray.create ();
    repeats = None;
    obtained = domains;
    heap = 0;
    pauses = Gc_pauses.none;
  }

let cases (plan : plan) serial versions =
  let of_version (v : _ Kernel.version) =
    match v.engine with
    | Serial _ -> [ case v 1 ]
    | Drover _ -> List.map (case v) plan.domains
    | Domainslib _ | Program _ -> if plan.brief then [] else List.map (case v) plan.domains
  in
  let serial_case name = of_version (Kernel.serial name serial) in
  serial_case Outcome.serial
  @ List.concat_map of_version versions
  @ if plan.brief then [] else serial_case Outcome.same_heap

(* Half of what parallel programs gain may come from larger minor heaps: those that a pool had on
   the largest number of domains, if they grew. *)
let grown_heap cases =
  let larger words case =
    match case.version.engine with Drover _ -> Int.max words case.heap | _ -> words
  in
  let words = List.fold_left larger 0 cases in
  if words > Session.initial_words then Some words else None

let repeats plan case ~seconds =
  match case.repeats with
  | Some n -> n
  | None ->
      let n = int_of_float (ceil (plan.sample_seconds /. Float.max seconds 1e-7)) in
      let n = max 1 (min 1000 n) in
      case.repeats <- Some n;
      n

(* Runs until the time for that is over; the seconds of the last run. Minor heaps grow meanwhile,
   and their pages are touched for the first time. *)
let rec warm_up plan case ~input ~verify run spent =
  let i = input () in
  let result, seconds = Clock.time (fun () -> run i) in
  verify case result;
  let spent = spent +. seconds in
  if spent < plan.warm_up_seconds then warm_up plan case ~input ~verify run spent else seconds

(* A sample: a fresh pool is warmed up, then [consume] does the runs that count, on an input each.
   Every result is checked, outside the timed part. *)
let sample plan ~minor_heap_words case ~input ~verify consume =
  Session.use ~domains:case.domains ~minor_heap_words case.version.engine (fun ~obtained run ->
      case.obtained <- obtained;
      let seconds = warm_up plan case ~input ~verify run 0. in
      let inputs = Array.init (repeats plan case ~seconds) (fun _ -> input ()) in
      let results = consume case run inputs in
      case.heap <- (Gc.get ()).minor_heap_size;
      Array.iter (verify case) results)

let timed turn case run inputs =
  let results, seconds = Clock.time (fun () -> Array.map run inputs) in
  Dynarray.add_last case.samples (turn, seconds /. float (Array.length inputs));
  results

let observed case run inputs =
  let next = ref 0 in
  let once () =
    incr next;
    run inputs.(!next - 1)
  in
  let results, pauses = Gc_pauses.observe ~domains:case.obtained (Array.length inputs) once in
  case.pauses <- pauses;
  results

let is_ours case = match case.version.engine with Program _ -> false | _ -> true

(* Of each turn in which [case] was measured *)
let speed_ups ~serial case =
  let serial = Dynarray.to_list serial.samples in
  let of_turn (turn, seconds) = List.assoc turn serial /. seconds in
  Array.map of_turn (Dynarray.to_array case.samples)

let row ~serial case : Outcome.row =
  {
    version = case.version.name;
    domains = case.domains;
    obtained = case.obtained;
    seconds = Stats.summary (Array.map snd (Dynarray.to_array case.samples));
    speed_up = Stats.summary (speed_ups ~serial case);
    minor_heap_words = case.heap;
    pauses = case.pauses;
  }

let verifier name check expected case result =
  match check ~expected result with
  | Ok () -> ()
  | Error why ->
      let where = Printf.sprintf "%s: %s on %d domains" name case.version.name case.domains in
      raise (Wrong_result (Printf.sprintf "%s gave a wrong result: %s" where why))

let kernel plan ~progress ~name (Kernel.Problem p) =
  progress (name ^ ": reference");
  let expected = p.serial (p.input ()) in
  let verify case = verifier name p.check expected case in
  let cases = cases plan p.serial p.versions in
  let sample what consume case =
    progress (Printf.sprintf "%s: %s, %s on %d" name what case.version.name case.domains);
    let timed minor_heap_words =
      sample plan ~minor_heap_words case ~input:p.input ~verify consume
    in
    if case.version.name <> Outcome.same_heap then timed plan.minor_heap_words
    else Option.iter (fun words -> timed (Some words)) (grown_heap cases)
  in
  let time turn case =
    match case.version.engine with
    | Program seconds -> Dynarray.add_last case.samples (turn, seconds ~domains:case.domains)
    | Serial _ | Drover _ | Domainslib _ ->
        sample (Printf.sprintf "run %d of %d" turn plan.runs) (timed turn) case
  in
  let start = Clock.now_ns () and machine = Contention.start () in
  let enough round = round > 3 && float (Clock.now_ns () - start) > plan.enough_seconds *. 1e9 in
  let rec rounds round =
    if round <= plan.runs && not (enough round) then begin
      List.iter (time round) cases;
      rounds (round + 1)
    end
  in
  rounds 1;
  if not plan.brief then List.iter (sample "pauses" observed) (List.filter is_ours cases);
  let outcome : Outcome.t =
    {
      kernel = name;
      kind = Program;
      about = p.about;
      note = p.note expected;
      others = Contention.others machine;
      rows =
        List.map
          (row ~serial:(List.hd cases))
          (List.filter (fun c -> not (Dynarray.is_empty c.samples)) cases);
    }
  in
  (outcome, Option.map (fun draw -> draw expected) p.picture)
