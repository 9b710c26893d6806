(* Replay: does what was recorded, with the real scheduler, on simulated processors. *)

open Drover_machine

type t = {
  recorded : Recorded.t;
  piece : int; (* ns *)
  tasks : unit Drover.Promise.t option array;
  events : (unit Drover.Promise.t * unit Drover.Promise.resolver) option array;
}

(* What a fork that nobody steals takes on a simulated processor, beside its sides. *)
let cost_of_call = 11 (* ns *)

(* Words that are allocated in one step *)
let most_words = 8_192

(* [n] times the [share]th part of that. *)
let work ({ ns; words; calls } : Recorded.work) n share =
  let ns = n * (ns + (calls * cost_of_call)) / share and words = n * words / share in
  let steps = 1 + (words / most_words) in
  for _ = 1 to steps do
    Work.busy (ns / steps);
    Work.allocate (words / steps)
  done

let event t number =
  match t.events.(number) with
  | Some event -> event
  | None ->
      let event = Drover.Promise.create () in
      (* Another worker may have come meanwhile. *)
      if Option.is_none t.events.(number) then t.events.(number) <- Some event;
      Option.get t.events.(number)

(* Iterations so short that nobody gains by one are taken some at a time. *)
type steps = { first : int; behind : int; body : int -> unit }

let rec sequence t items = List.iter (item t) items

and item t : Recorded.item -> unit = function
  | Work w -> work w 1 1
  | Fork (left, right) ->
      ignore (Drover.both (fun () -> sequence t left) (fun () -> sequence t right) : unit * unit)
  | Loop runs -> loop t runs
  | Start (task, body) -> t.tasks.(task) <- Some (Drover.async (fun () -> sequence t body))
  | Signal number -> Drover.Promise.fulfil (snd (event t number)) ()
  | Wait { event = number; task } -> (
      match Option.bind task (fun task -> t.tasks.(task)) with
      | Some task -> Drover.await task
      | None -> Drover.await (fst (event t number)))

and loop t runs =
  let next first run =
    let steps = steps t first run in
    (steps.behind, steps)
  in
  let behind, runs = List.fold_left_map next 0 runs in
  let runs = Array.of_list runs in
  (* Among [runs.(low)] to [runs.(high)] *)
  let rec find i low high =
    if low = high then runs.(low)
    else
      let middle = (low + high) / 2 in
      if i < runs.(middle).behind then find i low middle else find i (middle + 1) high
  in
  if behind > 0 then
    Drover.parallel_for ~start:0 ~finish:(behind - 1) (fun i ->
        let { first; body; _ } = find i 0 (Array.length runs - 1) in
        body (i - first))

and steps t first : Recorded.run -> steps = function
  | Iteration items -> { first; behind = first + 1; body = (fun _ -> sequence t items) }
  | Steps (n, w) ->
      let pieces = Int.max 1 (Int.min n (w.ns / t.piece)) in
      let body i = work w (((i + 1) * n / pieces) - (i * n / pieces)) n in
      { first; behind = first + pieces; body }

(* Of the [rest], as much can be done at a time as of the whole. *)
let most_parts = 10_000

let rest t ~parallelism =
  let ns = t.recorded.rest in
  let parts = Int.max 1 (Int.min most_parts (int_of_float parallelism)) in
  let rec all parts part =
    if parts = 1 then Work.busy part
    else
      let left = parts / 2 in
      let (), () = Drover.both (fun () -> all left part) (fun () -> all (parts - left) part) in
      ()
  in
  if ns > 0 then all parts (ns / parts)

let most_pieces = 100_000

let run recorded ~parallelism =
  let work = Recorded.work_of_items recorded.Recorded.program + recorded.rest in
  let t =
    {
      recorded;
      piece = Int.max recorded.piece (work / most_pieces);
      tasks = Array.make recorded.numbers None;
      events = Array.make recorded.numbers None;
    }
  in
  sequence t recorded.program;
  rest t ~parallelism;
  Array.iter (Option.iter Drover.await) t.tasks

let program recorded ~parallelism : Drover_sim_programs.Program.sized =
  let go () = run recorded ~parallelism in
  {
    work = Recorded.work_of_items recorded.program + recorded.rest;
    operations = 1;
    prepare = (fun () -> { go; is_right = (fun () -> true) });
  }
