open Drover_harness

type engine = In_turn | In_parallel

type subject = {
  name : string;
  engine : engine;
  work : unit -> unit;
  undo : unit -> unit;
  length : unit -> int;
}

let subject engine name ?(undo = ignore) ~length work = { name; engine; work; undo; length }

let singly n f () =
  for i = 0 to n - 1 do
    f i
  done

let by_tasks n f () = Drover.parallel_for ~start:0 ~finish:(n - 1) f

let locked f =
  let mutex = Mutex.create () in
  fun i -> Mutex.protect mutex (fun () -> f i)

type t = { operations : int; length_after : int; rounds : int }

exception Wrong of string

let run s =
  let work () = s.work () in
  match s.engine with In_turn -> Kernel.Serial work | In_parallel -> Kernel.Drover work

(* Seconds of a run on a pool that has run the same before, so that its minor heaps have grown. *)
let seconds contest (s, domains) =
  let checked run =
    let (), seconds = Clock.time run in
    if s.length () <> contest.length_after then
      raise (Wrong (Printf.sprintf "%s: %d elements after all" s.name (s.length ())));
    s.undo ();
    seconds
  in
  Session.use ~domains ~minor_heap_words:None (run s) (fun ~obtained:_ run ->
      ignore (checked run : float);
      checked run)

let cases subjects =
  List.concat_map
    (fun (s : subject) ->
      match s.engine with In_turn -> [ (s, 1) ] | In_parallel -> [ (s, 1); (s, 2) ])
    subjects

type result = { name : string; engine : engine; domains : int; speed : float }

(* One structure in memory at a time: the collector's work grows with what is there. *)
let measure_group contest make =
  let cases = cases (make ()) in
  let rounds = Array.init contest.rounds (fun _ -> List.map (seconds contest) cases) in
  let speed i =
    let seconds = Stats.median (Array.map (fun round -> List.nth round i) rounds) in
    float contest.operations /. seconds /. 1e3
  in
  List.mapi
    (fun i (({ name; engine; _ } : subject), domains) -> { name; engine; domains; speed = speed i })
    cases

let measure contest groups = List.concat_map (measure_group contest) groups

let figures results =
  let figure r =
    let where =
      match r.engine with In_turn -> "" | In_parallel -> Printf.sprintf ", %d" r.domains
    in
    Probe.figure (r.name ^ where) "a ms" r.speed
  in
  List.map figure results

let has results name = List.exists (fun r -> r.name = name) results

let speed results name domains =
  (List.find (fun r -> r.name = name && r.domains = domains) results).speed
