open Drover_harness
open Drover_show

type engine = In_turn | In_parallel

type subject = {
  name : string;
  engine : engine;
  work : unit -> unit;
  undo : unit -> unit;
  length : unit -> int;
  batches : unit -> int array;
}

let subject engine name ?(undo = ignore) ?(batches = fun () -> [||]) ~length work =
  { name; engine; work; undo; length; batches }

let singly n f () =
  for i = 0 to n - 1 do
    f i
  done

let by_tasks n f () = Drover.parallel_for ~start:0 ~finish:(n - 1) f

let locked f =
  let mutex = Mutex.create () in
  fun i -> Mutex.protect mutex (fun () -> f i)

let unbatched ?(sequential = "sequential") ?(lock = "lock") ?undo ~length n operate =
  [
    subject In_turn sequential ?undo ~length (singly n operate);
    subject In_parallel lock ?undo ~length (by_tasks n (locked operate));
  ]

let batched ?undo ~batches ~length n operate ~all =
  [
    subject In_parallel "implicit" ?undo ~batches ~length (by_tasks n operate);
    subject In_parallel "explicit" ?undo ~length all;
  ]

let in_turn = List.filter (fun (s : subject) -> s.engine = In_turn)
let batch_lengths = [ 16; 64; 256; 1024; 4096 ]
let of_length k = Printf.sprintf "batches of %d" k

let slice operation first n =
  Young.of_pieces n (fun from length -> Array.init length (fun j -> operation (first + from + j)))

let in_batches ?undo ~length n operation ~apply =
  let rec work k first =
    if first < n then begin
      apply (slice operation first (Int.min k (n - first)));
      work k (first + k)
    end
  in
  let of_length k = subject In_parallel (of_length k) ?undo ~length (fun () -> work k 0) in
  List.map of_length batch_lengths

type t = { operations : int; length_after : int; rounds : int }

exception Wrong of string

(* [batches] by their size, as the structures tell. *)
type sample = { seconds : float; batches : int array }

let run s =
  let work () = s.work () in
  match s.engine with In_turn -> Kernel.Serial work | In_parallel -> Kernel.Drover work

(* A run on a pool that has run the same before, so that its minor heaps have grown. *)
let sample contest ((s : subject), domains) =
  let checked run =
    let before = s.batches () in
    let (), seconds = Clock.time run in
    let batches = Array.map2 ( - ) (s.batches ()) before in
    if s.length () <> contest.length_after then
      raise (Wrong (Printf.sprintf "%s: %d elements after all" s.name (s.length ())));
    s.undo ();
    { seconds; batches }
  in
  Session.use ~domains ~minor_heap_words:None (run s) (fun ~obtained:_ run ->
      ignore (checked run : sample);
      checked run)

let cases subjects =
  List.concat_map
    (fun (s : subject) ->
      match s.engine with In_turn -> [ (s, 1) ] | In_parallel -> [ (s, 1); (s, 2) ])
    subjects

type result = {
  name : string;
  engine : engine;
  domains : int;
  speed : float;
  batches : int array; (* of the last round *)
}

(* One structure in memory at a time: the collector's work grows with what is there. *)
let measure_group contest make =
  let cases = cases (make ()) in
  let rounds = List.init contest.rounds (fun _ -> List.map (sample contest) cases) in
  let result i (({ name; engine; _ } : subject), domains) =
    let samples = List.map (fun round -> List.nth round i) rounds in
    let seconds = Stats.median (Array.of_list (List.map (fun s -> s.seconds) samples)) in
    let last = List.nth samples (contest.rounds - 1) in
    let speed = float contest.operations /. seconds /. 1e3 in
    { name; engine; domains; speed; batches = last.batches }
  in
  List.mapi result cases

let measure contest groups = List.concat_map (measure_group contest) groups

let label r =
  match r.engine with In_turn -> r.name | In_parallel -> Printf.sprintf "%s, %d" r.name r.domains

let batch_figures r =
  let figure i n =
    let range = if i = 0 then "1" else Printf.sprintf "%d to %d" (1 lsl i) ((2 lsl i) - 1) in
    let sizes = Printf.sprintf "%s: batches of %s" (label r) range in
    if n = 0 then None else Some (Probe.figure sizes "" (float n))
  in
  List.filter_map Fun.id (List.mapi figure (Array.to_list r.batches))

let figures results =
  let speed r = Probe.figure (label r) "a ms" r.speed in
  List.map speed results @ List.concat_map batch_figures results

let has results name = List.exists (fun r -> r.name = name) results

let speed results name domains =
  (List.find (fun r -> r.name = name && r.domains = domains) results).speed
