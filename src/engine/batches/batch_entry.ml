(* Batch entry.

   Queued --wait--> Waited_for --publish--> Served
     +--publish-----------------------------> *)

type state = Queued | Waited_for of Waiter.t | Served
type 'op t = { mutable state : state; [@atomic] op : 'op; mutable failure : Failure.t option }

let create op = { state = Queued; op; failure = None }
let fail t failure = t.failure <- Some failure

(* These steps pair with each other: what the batch did is seen by the submitter. *)

let wait t =
  match Atomic.Loc.get [%atomic.loc t.state] with
  | Served -> ()
  | Queued | Waited_for _ ->
      Wait.in_any_case "waits for a batch" (fun waiter ->
          if not (Atomic.Loc.compare_and_set [%atomic.loc t.state] Queued (Waited_for waiter)) then
            ignore (Waiter.wake waiter : bool))

let publish t =
  match Atomic.Loc.exchange [%atomic.loc t.state] Served with
  | Waited_for waiter -> Shared.insist (fun w -> ignore (Waiter.wake w : bool)) waiter
  | Queued | Served -> ()
