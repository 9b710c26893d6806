(* Crowd: how many workers are worth their processors.

   Where other programs want these, too, workers that share short regions wait at their joins for one that has lost its
   processor. They wait at collections, too, but just so for one that stands by: against that, minor heaps grow (see
   [Minor_heap]).

   All --some wait--> Trial --as good--> Fewer --hold--> Look --not worth it--> Fewer
    ^                  |                                  |
    +----worse---------+                                  |
    +----nobody waits, or worth it------------------------+

   In a trial and in a look the work of all and that of fewer are compared, for one window each.
   Each comparison that changes nothing doubles the time to the next one. *)

type load = { ran : float; spun : float; waiting : float }
type stage = All | Trial of load | Fewer of load | Look of load

type t = {
  most : int; (* that are worth a processor, as there are no more *)
  stage : stage;
  few : int;
  until : float;
  hold : float; (* how long the outcome of a comparison holds *)
  lately : float; (* waited: half of that in the latest window *)
}

let window = 0.01
let crowded = 0.3 (* threads that wait for a processor, on average *)

(* So much more is to be done by all, or the fewer disturb others less. *)
let worth = 1.1
let shortest = 0.2
let lately t = t.lately
let active t = match t.stage with All | Look _ -> t.most | Trial _ | Fewer _ -> t.few

let create ~processors members =
  let most = Int.max 1 (Int.min members processors) in
  { most; stage = All; few = most; until = 0.; hold = shortest; lately = 0. }

let waits_at_joins load = load.spun > 0.1
let for_now t ~now stage = { t with stage; until = now +. t.hold }
let for_longer t ~now stage = for_now { t with hold = Float.min 1.6 (2. *. t.hold) } ~now stage

let step t ~now load =
  let t = { t with lately = (t.lately +. load.waiting) /. 2. } in
  (* As many work in a trial as are on a processor at a time. Those that sleep meanwhile are not seen to wait
     for one. *)
  let few = Int.max 1 (t.most - Int.max 1 (Float.to_int (Float.round load.waiting))) in
  (* Such a window says nothing, but that who works may wait for those that do not. *)
  let is_idle = load.ran +. load.waiting < 0.5 in
  match t.stage with
  | Trial _ when is_idle -> { t with stage = All }
  | Fewer before when is_idle -> { t with stage = Look before }
  | (All | Look _) when is_idle -> t
  | All when t.lately < crowded -> { t with hold = shortest }
  | All when not (waits_at_joins load) -> t
  (* The few cannot do more than one processor's work each. *)
  | All when few = t.most || now < t.until || load.ran >= worth *. float few -> t
  | All -> { t with stage = Trial load; few }
  | Trial all when all.ran < worth *. load.ran -> for_now t ~now (Fewer load)
  | Trial _ -> for_longer t ~now All
  | Fewer _ when now < t.until -> { t with stage = Fewer load }
  | Fewer _ -> { t with stage = Look load }
  | Look _ when load.waiting < crowded -> { t with stage = All; hold = shortest }
  | Look fewer when load.ran < worth *. fewer.ran -> for_longer t ~now (Fewer fewer)
  | Look _ -> for_now t ~now All
