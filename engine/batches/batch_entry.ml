(* Batch entry.

   Awake --fall_asleep--> Asleep --publish--> Called
     |
     +--publish--> Served *)

type wait = Awake | Asleep | Served | Called

type 'op t = {
  op : 'op;
  mutable wait : wait; [@atomic]
  mutable sleeper : Sleeper.t option; (* is set before the step to Asleep *)
  since : float;
  mutable failure : Failure.t option;
}

let create op ~since = { op; wait = Awake; sleeper = None; since; failure = None }
let op t = t.op
let since t = t.since
let failure t = t.failure
let fail t failure = t.failure <- Some failure
let[@inline] wait t = Atomic.Loc.get [%atomic.loc t.wait]
let[@inline] step t before after = Atomic.Loc.compare_and_set [%atomic.loc t.wait] before after

(* Pairs with [publish]. *)
let is_served t = match wait t with Served | Called -> true | Awake | Asleep -> false

let fall_asleep t sleeper =
  t.sleeper <- Some sleeper;
  step t Awake Asleep

(* Publishes what the batch did; pairs with [is_served]. *)
let[@poll error] publish t = if not (step t Awake Served) then ignore (step t Asleep Called : bool)
let to_wake t = match wait t with Called -> t.sleeper | Awake | Asleep | Served -> None
