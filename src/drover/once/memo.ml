(* Memo: a table that computes the value of each key once.

   An entry of the table is

     Vacant --claim--> Running --value or failure--> Ended, or Kept
                         +---------cancelled-------> Gone, and not in the table

   The claimer computes; others await the end of that run, and look for the key again if the entry is Gone.
   In a table with a bound, what has ended is Kept, and has a place in a clock: it takes that before others
   see it, and the entry that had it leaves the table before that. So never more are in the table than the
   bound. An entry may lose its place before it is Kept, and is for those who have it then. *)

exception Cycle

type 'v state =
  | Vacant
  | Running of Memo_runs.t
  | Ended of ('v, Failure.t) result
  | Kept of { outcome : ('v, Failure.t) result; mutable was_used : bool }
  | Gone

type ('k, 'v) entry = ('k, 'v state) Hash_trie.entry

type ('k, 'v) t = {
  table : ('k, 'v state) Hash_trie.t;
  clock : ('k, 'v) entry Clock.t option; (* where there is a bound *)
  compute : ('k, 'v) t -> 'k -> 'v;
}

(* The run that the calling task is part of. *)
let current : Memo_runs.t option Local.t = Local.create None

(* Of all tables: one may need values of another. *)
let order = Memo_runs.order ()
let until_ended run = Wait.until_full "waits for a value of a memo" (Memo_runs.ended run)

(* A note goes with the wait: both closures are there before it, and no safepoint lies between it and the
   handler. *)
let await run =
  match Local.get current with
  | None -> until_ended run
  | Some me ->
      let forget () = Memo_runs.forget me run
      and wait () = if Memo_runs.closes_circle order me run then raise Cycle else until_ended run in
      Memo_runs.note me run;
      Section.finally forget wait

(* The value of an entry *)

let[@inline] state (entry : _ entry) = Atomic.Loc.get [%atomic.loc entry.state]

let[@inline] step (entry : _ entry) before after =
  Atomic.Loc.compare_and_set [%atomic.loc entry.state] before after

(* For the hand of the clock. *)
let was_used entry =
  match state entry with
  | Kept ({ was_used = true; _ } as kept) ->
      kept.was_used <- false;
      true
  | Kept _ | Vacant | Running _ | Ended _ | Gone -> false

(* It may be called again until the step that it leads to: then it takes another place in the clock, and
   evicts another in vain. *)
let after_run t entry outcome =
  match (outcome, t.clock) with
  | Error { Failure.exn = Token.Cancelled _; _ }, _ ->
      Hash_trie.remove t.table entry;
      Gone
  | (Ok _ | Error _), None -> Ended outcome
  | (Ok _ | Error _), Some clock ->
      let kept = Kept { outcome; was_used = false } in
      Clock.add clock ~was_used ~evict:(Hash_trie.remove t.table) entry;
      kept

(* Those who await the run look at the state again. It may be called again. *)
let end_run t entry running run outcome =
  if state entry == running then ignore (step entry running (after_run t entry outcome) : bool);
  Memo_runs.finish run

(* The outcome, if no other was first. Others wait for the end of a run once it is claimed, and an exception may
   come at each safepoint: so there is none from the claim to [catch], nor from there to the section; what the
   end needs is there before, also the room on the stack. *)
let rec compute t (entry : _ entry) =
  let run = Memo_runs.create (Local.get current) ~hash:entry.hash in
  let running = Running run in
  let call () = Local.with_value current (Some run) (fun () -> t.compute t entry.key)
  and conclude outcome = end_run t entry running run outcome in
  Section.reserve_stack ();
  if step entry Vacant running then begin
    let outcome = Failure.catch call in
    Section.run_reserved conclude outcome;
    Failure.get outcome
  end
  else value t entry

and value t entry =
  match state entry with
  | Ended outcome -> Failure.get outcome
  | Kept kept ->
      if not kept.was_used then kept.was_used <- true;
      Failure.get kept.outcome
  | Running run ->
      if not (Ivar.is_full (Memo_runs.ended run)) then Section.run await run;
      value t entry
  | Vacant -> compute t entry
  | Gone -> get_once t entry.key

and get_once t key = value t (Hash_trie.find_or_add t.table key Vacant)

let get t key =
  Point.pass ();
  get_once t key

let find_opt t key =
  match Hash_trie.find t.table key with
  | None -> None
  | Some entry -> (
      match state entry with
      | Ended (Ok v) -> Some v
      | Kept ({ outcome = Ok v; _ } as kept) ->
          kept.was_used <- true;
          Some v
      | Ended (Error _) | Kept _ | Running _ | Vacant | Gone -> None)

let create ?bound ?(hash = Hashtbl.hash) ?(equal = fun x y -> compare x y = 0) f =
  if Option.fold ~none:false ~some:(fun bound -> bound < 1) bound then
    invalid_arg "Drover.Memo.create: bound < 1";
  {
    table = Hash_trie.create ?bound ~hash ~equal ();
    clock = Option.map Clock.create bound;
    compute = (fun t -> f (get t));
  }
