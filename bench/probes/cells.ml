open Drover_harness
open Drover_show

type make = int -> look_ups:int -> int -> unit
type subject = { name : string; rivals : string list; is_shared : bool; make : make }

let ours name ~rivals make = { name; rivals; is_shared = true; make }
let rival name make = ours name ~rivals:[] make
let serial make = { name = "serial"; rivals = []; is_shared = false; make }

type shape = { rows : (string * int) list; look_ups : int list }

let by_keys ~look_ups size =
  let small = [ ("100 keys", 100) ] in
  let all = small @ [ ("10,000 keys", 10_000); ("1,000,000 keys", 1_000_000) ] in
  { rows = Kernel.by_size size ~tiny:small ~quick:all ~full:all; look_ups }

(* A loop has no state of its own, so the number of an iteration is what its random number comes
   from: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators" (OOPSLA 2014). *)
let random i =
  let fold x shift = x lxor (x lsr shift) in
  let x = fold (i * 0x1E3779B97F4A7C15) 30 in
  let x = fold (x * 0x3F58476D1CE4E5B9) 27 in
  abs (fold (x * 0x14D049BB133111EB) 31)

let below n random =
  let fraction = random land 0x3FFFFFFF in
  (fraction * n) lsr 30

(* Other bits than those for the key. *)
let percent random = below 100 (random lsr 30)
let inserts random = random land (1 lsl 60) = 0

(* Work that shares nothing. *)
let compute steps =
  let x = ref steps in
  for _ = 1 to steps do
    x := (5 * !x) + 1
  done;
  ignore (Sys.opaque_identity !x : int)

let steps_of_us =
  let steps = 1_000_000 in
  let once _ = snd (Clock.time (fun () -> compute steps)) in
  let us = lazy (1e6 *. Stats.minimum (Array.init 5 once)) in
  fun wanted -> Float.to_int (wanted *. float steps /. Lazy.force us)

type cell = { share : int; work_us : float }

let cells shape =
  let works share = List.map (fun work_us -> { share; work_us }) [ 0.; 0.5; 2. ] in
  List.concat_map works shape.look_ups

(* Nanoseconds an operation. The first loop does not count: minor heaps grow, and workers wake up. *)
let sample (s : Probe.settings) ~next operate cell =
  let per_loop = Kernel.by_size s.size ~tiny:200. ~quick:20_000. ~full:20_000. in
  let n = Float.to_int (per_loop /. (1. +. cell.work_us)) and steps = steps_of_us cell.work_us in
  let operate = operate ~look_ups:cell.share in
  let loop () =
    let start = !next in
    next := start + n;
    Drover.parallel_for ~start ~finish:(!next - 1) (fun i ->
        compute steps;
        operate (random i))
  in
  loop ();
  let began = Clock.now_ns () in
  let rec repeat loops =
    loop ();
    let ns = float (Clock.now_ns () - began) in
    if ns < 1e9 *. s.plan.sample_seconds then repeat (loops + 1) else ns /. float (loops * n)
  in
  repeat 1

let row_figures label subjects ns =
  let figure i subject = Probe.figure ~column:subject.name label "ns" ns.(i) in
  let ratio i subject =
    let is_rival other = List.mem other.name subject.rivals in
    match List.filteri (fun j _ -> is_rival (List.nth subjects j)) (Array.to_list ns) with
    | [] -> None
    | rivals ->
        let best = Stats.minimum (Array.of_list rivals) in
        let column = subject.name ^ " / best" in
        Some (Probe.ratio ~goal:(At_most 1.1) ~column label ns.(i) best)
  in
  List.mapi figure subjects @ List.filter_map Fun.id (List.mapi ratio subjects)

let label shape ~row ~domains cell =
  let share = match shape.look_ups with [ _ ] -> "" | _ -> Printf.sprintf ", %d%%" cell.share in
  Printf.sprintf "%s%s, %g us, %d" row share cell.work_us domains

(* Of each subject, by cells. A round has all cells of one structure, then those of the next. *)
let medians (s : Probe.settings) ~next ~run subjects size cells =
  let samples subject =
    run (fun () ->
        let operate = subject.make size in
        Gc.full_major ();
        Array.of_list (List.map (sample s ~next operate) cells))
  in
  let rounds = if size < 1_000_000 then s.plan.runs else Int.min s.plan.runs 3 in
  let rounds = Array.init rounds (fun _ -> List.map samples subjects) in
  fun i ->
    let median j = Stats.median (Array.map (fun round -> (List.nth round j).(i)) rounds) in
    Array.init (List.length subjects) median

let on_domains (s : Probe.settings) shape subjects domains =
  let subjects = List.filter (fun subject -> subject.is_shared || domains = 1) subjects in
  let cells = cells shape and next = ref 0 in
  Session.use ~domains ~minor_heap_words:s.plan.minor_heap_words
    (Drover (fun task -> task ()))
    (fun ~obtained:_ run ->
      let of_size (row, size) =
        let medians = medians s ~next ~run subjects size cells in
        let of_cell i cell = row_figures (label shape ~row ~domains cell) subjects (medians i) in
        List.concat (List.mapi of_cell cells)
      in
      List.concat_map of_size shape.rows)

let figures (s : Probe.settings) shape subjects =
  List.concat_map (on_domains s shape subjects) s.plan.domains

let probe ~name ~doc ~look_ups subjects : Probe.t =
  let run (s : Probe.settings) = figures s (by_keys ~look_ups s.size) subjects in
  { name; doc; run }

let preload size add =
  let rng = Random.State.make [| size |] in
  let keys = Array.init (2 * size) Fun.id in
  Array.shuffle ~rand:(Random.State.int rng) keys;
  let part = size / 10 in
  for i = 0 to 9 do
    let keys = Array.sub keys (i * part) part in
    Array.sort Int.compare keys;
    add keys
  done

let of_operation create size =
  let operate = create size in
  fun ~look_ups:_ random -> operate random

let locked f =
  let mutex = Mutex.create () in
  fun x -> Mutex.protect mutex (fun () -> f x)

type map = { find : int -> int option; insert : int -> int -> unit; delete : int -> unit }

let of_map create size =
  let map = create size in
  fun ~look_ups random ->
    let key = below (2 * size) random in
    if percent random < look_ups then ignore (map.find key : int option)
    else if inserts random then map.insert key random
    else map.delete key

let locked_map map =
  let mutex = Mutex.create () in
  {
    find = (fun key -> Mutex.protect mutex (fun () -> map.find key));
    insert = (fun key value -> Mutex.protect mutex (fun () -> map.insert key value));
    delete = (fun key -> Mutex.protect mutex (fun () -> map.delete key));
  }

type operation = { key : int; kind : kind; mutable found : int option }
and kind = Find | Insert of int | Delete

let batched_map map =
  let apply operation =
    match operation.kind with
    | Find -> operation.found <- map.find operation.key
    | Insert value -> map.insert operation.key value
    | Delete -> map.delete operation.key
  in
  let one op =
    apply op;
    true
  in
  let batch = Drover.Batch.create ~one (Array.iter apply) in
  let submit kind key =
    let operation = { key; kind; found = None } in
    Drover.Batch.submit batch operation;
    operation.found
  in
  {
    find = submit Find;
    insert = (fun key value -> ignore (submit (Insert value) key : int option));
    delete = (fun key -> ignore (submit Delete key : int option));
  }
