module By_time = Map.Make (struct
  type t = float * int

  let compare (time, id) (time', id') =
    match Float.compare time time' with 0 -> Int.compare id id' | order -> order
end)

type timer = By_time.key
type watch = { descriptor : Unix.file_descr; for_writing : bool; ready : unit -> unit }
type thread = { bell : Bell.t; domain : Domain.id; process : int; mutable passes_on : bool }

type state = {
  timers : (unit -> unit) By_time.t;
  watches : watch list;
  thread : thread option;
  alarm : float;
  kept_until : float;
}

let awake = neg_infinity

let state =
  Atomic.make
    { timers = By_time.empty; watches = []; thread = None; alarm = awake; kept_until = awake }

let update step = Shared.update state step
let has_nothing s = By_time.is_empty s.timers && s.watches = []

let next_time s =
  match By_time.min_binding_opt s.timers with Some ((time, _), _) -> time | None -> infinity

(* To serve *)

let rec serve_timers now =
  let s = Atomic.get state in
  match By_time.min_binding_opt s.timers with
  | Some (((time, _) as timer), call) when time <= now -> (
      let after = { s with timers = By_time.remove timer s.timers } in
      match Atomic.compare_and_set state s after with
      | true ->
          Critical.finish call;
          serve_timers now
      | false -> serve_timers now)
  | Some _ | None -> ()

let rec serve_watch watch =
  let s = Atomic.get state in
  if List.memq watch s.watches then
    let after = { s with watches = List.filter (( != ) watch) s.watches } in
    match Atomic.compare_and_set state s after with
    | true -> Critical.finish watch.ready
    | false -> serve_watch watch

let serve_watches watches (read, write) =
  let is_ready watch = List.mem watch.descriptor (if watch.for_writing then write else read) in
  if read <> [] || write <> [] then
    List.iter (fun watch -> if is_ready watch then serve_watch watch) watches

let descriptors watches ~for_writing =
  let of_watch w = if w.for_writing = for_writing then Some w.descriptor else None in
  List.sort_uniq compare (List.filter_map of_watch watches)

(* Somebody has closed it: whoever waits for it will see. *)
let is_closed watch =
  match Unix.fstat watch.descriptor with
  | (_ : Unix.stats) -> false
  | exception Unix.Unix_error (EBADF, _, _) -> true
  | exception Unix.Unix_error _ -> false

let serve_closed watches =
  List.iter (fun watch -> if is_closed watch then serve_watch watch) watches

let park bell ~until watches =
  let read = descriptors watches ~for_writing:false
  and write = descriptors watches ~for_writing:true in
  match Bell.park bell ~until ~read ~write with
  | ready -> serve_watches watches ready
  | exception Unix.Unix_error (EBADF, _, _) -> serve_closed watches

let look_at watches =
  let read = descriptors watches ~for_writing:false
  and write = descriptors watches ~for_writing:true in
  match Bell.select read write 0. with
  | ready -> serve_watches watches ready
  | exception Unix.Unix_error (EBADF, _, _) -> serve_closed watches
