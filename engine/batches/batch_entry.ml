(* Batch entry.

   Running --wait_on--> Waiting --publish--> Called
     |
     +--publish--> Served *)

type wait = Running | Waiting | Served | Called

type 'op t = {
  op : 'op;
  mutable wait : wait; [@atomic]
  mutable waiter : Waiter.t option; (* is set before the step to Waiting *)
  since : float;
  mutable failure : Failure.t option;
}

let create op ~since = { op; wait = Running; waiter = None; since; failure = None }
let op t = t.op
let since t = t.since
let failure t = t.failure
let fail t failure = t.failure <- Some failure
let[@inline] wait t = Atomic.Loc.get [%atomic.loc t.wait]
let[@inline] step t before after = Atomic.Loc.compare_and_set [%atomic.loc t.wait] before after

(* Pairs with [publish]. *)
let is_served t = match wait t with Served | Called -> true | Running | Waiting -> false

let wait_on t waiter =
  t.waiter <- Some waiter;
  step t Running Waiting

(* Publishes what the batch did; pairs with [is_served]. *)
let[@poll error] publish t =
  if not (step t Running Served) then ignore (step t Waiting Called : bool)

let to_wake t = match wait t with Called -> t.waiter | Running | Waiting | Served -> None
