(* Line: jobs with weights, which start in order while those that run weigh less than a limit.

   Waiting --admit--> Started --leave--> Gone

   Waiting --close--> Refused

   A change of the line puts a new state in the place of the old one. Whoever admits or refuses jobs
   by it starts or refuses them: those that are still to come are in its [change], so it can be
   interrupted and go on. *)

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
  match Jobs.find_opt id state.started with
  | Some { weight; _ } ->
      { state with weight = state.weight - weight; started = Jobs.remove id state.started }
  | None -> state

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

(* Changes *)

type 'job change = {
  mutable is_made : bool;
  mutable chosen : 'job entry list; (* to be started, or to be refused *)
  mutable reason : exn option;
}

let change () = { is_made = false; chosen = []; reason = None }

let[@poll error] put t change before after chosen =
  if Atomic.compare_and_set t.state before after then begin
    change.is_made <- true;
    change.chosen <- chosen;
    change.reason <- after.closed
  end

let[@poll error] take change =
  let chosen = change.chosen in
  (match chosen with [] -> () | _ :: behind -> change.chosen <- behind);
  chosen

let rec tell t change =
  match take change with
  | [] -> ()
  | { job; _ } :: _ ->
      (match change.reason with None -> t.start job | Some exn -> t.refuse exn job);
      tell t change

(* May be called again. *)
let rec make t next change =
  if change.is_made then tell t change
  else begin
    let before = Atomic.get t.state in
    let after, chosen = settle t.limit (next before) [] in
    put t change before after chosen;
    make t next change
  end

(* The interface *)

let next_id t = Atomic.fetch_and_add t.ids 1

(* [job] is started or refused, now or later. *)
let enter t ~id ~weight job =
  Critical.finish_with (make t (entered { id; weight; job })) (change ())

(* [leaving t id] is to be called when the job [id], which was started, has ended; again, if it was
   interrupted. *)
let leaving t id =
  let change = change () in
  fun () -> make t (left id) change

(* Refuses all that wait or come, and is those that have started. *)
let close t exn =
  Critical.finish_with (make t (closing exn)) (change ());
  Jobs.fold (fun _ { job; _ } jobs -> job :: jobs) (Atomic.get t.state).started []
