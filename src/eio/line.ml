(* Line: jobs with weights, which start in order while those that run weigh less than a limit.

   Waiting --admit--> Started --leave--> Gone

   Waiting --close--> Refused

   A change of the line puts a new state in the place of the old one. The domain that makes it starts,
   or refuses, the jobs that this admits. *)

module Jobs = Map.Make (Int)

type 'job entry = { id : int; weight : int; job : 'job }

type 'job state = {
  weight : int; (* of those that have started *)
  started : 'job entry Jobs.t;
  front : 'job entry list; (* waiting, in order *)
  back : 'job entry list; (* behind them, the latest first *)
  closed : exn option; (* why *)
}

(* [start] and [refuse] raise nothing. *)
type 'job t = {
  limit : int;
  start : 'job -> unit;
  refuse : exn -> 'job -> unit;
  ids : int Atomic.t;
  state : 'job state Atomic.t;
}

let nobody = { weight = 0; started = Jobs.empty; front = []; back = []; closed = None }

let create limit ~start ~refuse =
  { limit; start; refuse; ids = Atomic.make 0; state = Atomic.make nobody }

let closed t = (Atomic.get t.state).closed
let is_idle t = Jobs.is_empty (Atomic.get t.state).started

(* The states that follow *)

let entered entry state = { state with back = entry :: state.back }
let closing exn state = { state with closed = Some exn }

let left id state =
  let entry = Jobs.find id state.started in
  { state with weight = state.weight - entry.weight; started = Jobs.remove id state.started }

let start_first (entry : _ entry) front state =
  {
    state with
    front;
    weight = state.weight + entry.weight;
    started = Jobs.add entry.id entry state.started;
  }

(* With those that are admitted, or refused. *)
let rec settle limit state chosen =
  match (state.closed, state.front, state.back) with
  | _, [], [] -> (state, List.rev chosen)
  | _, [], back -> settle limit { state with front = List.rev back; back = [] } chosen
  | Some _, entry :: front, _ -> settle limit { state with front } (entry :: chosen)
  | None, entry :: front, _ when state.weight < limit ->
      settle limit (start_first entry front state) (entry :: chosen)
  | None, _, _ -> (state, List.rev chosen)

let rec change t next =
  let before = Atomic.get t.state in
  let after, chosen = settle t.limit (next before) [] in
  if Atomic.compare_and_set t.state before after then
    let conclude = match after.closed with None -> t.start | Some exn -> t.refuse exn in
    List.iter (fun { job; _ } -> conclude job) chosen
  else change t next

(* The interface *)

let next_id t = Atomic.fetch_and_add t.ids 1

(* [job] is started or refused, now or later. *)
let enter t ~id ~weight job = change t (entered { id; weight; job })

(* The job [id], which was started, has ended. *)
let leave t id = change t (left id)

(* Refuses all that wait or come, and is those that have started. *)
let close t exn =
  change t (closing exn);
  Jobs.fold (fun _ { job; _ } jobs -> job :: jobs) (Atomic.get t.state).started []
