(* Token.

   Fresh --start--> Live --finish-----------------> Over
     |               |                               ^
     |               +--cancel e--> Cancelled e --finish
     +--cancel e------------------> Cancelled e

   The fiber of a scope's body lies in another, as a handler of the user's may go on outside while the
   body is paused, and resume the body elsewhere (see [Extent]). A stolen fork or a spawned task has a
   fiber that lies in no other. *)

exception Cancelled of exn

type fiber = {
  mutable causes : int; [@atomic]
  mutable reason : exn; (* of the latest *)
  mutable attention : unit -> unit; [@atomic] (* of its worker *)
  mutable wait : unit -> unit; (* the same of its wait, or [no_wait] *)
  mutable outer : fiber; (* or [outermost] *)
  mutable is_alarmed : bool; (* that one has, or had, a cause *)
  mutable number : int; (* as a holder, once it is one *)
  mutable holds : Hold.t list; (* this and [number] are for the fiber's own code only *)
}

type t = {
  fiber : fiber;
  parent : t option;
  is_fork : bool; (* its failure is a cause for the fiber of its parent *)
  mutable state : state; [@atomic]
  mutable children : children; [@atomic]
}

and state = Fresh | Live | Cancelled_by of exn | Over
and children = t Register.t

let none = Register.empty
let no_wait () = ()

let rec outermost =
  {
    causes = 0;
    reason = Exit;
    attention = ignore;
    wait = no_wait;
    outer = outermost;
    is_alarmed = false;
    number = Hold.nobody;
    holds = [];
  }

let[@inline] create_fiber attention =
  {
    causes = 0;
    reason = Exit;
    attention;
    wait = no_wait;
    outer = outermost;
    is_alarmed = false;
    number = Hold.nobody;
    holds = [];
  }

let[@inline] create ?(state = Fresh) ~is_fork ~parent fiber =
  { fiber; parent; is_fork; state; children = none }

let[@inline] root attention = create ~is_fork:false ~parent:None (create_fiber attention)
let fork parent = create ~is_fork:true ~parent:(Some parent) (create_fiber ignore)
let task parent = create ~is_fork:false ~parent:(Some parent) (create_fiber ignore)
let body parent = create ~is_fork:false ~parent:(Some parent) (create_fiber ignore)

(* One step more of what makes the fiber stop; then its attention is to be called, which may be done
   more than once. The step comes before the look at [attention] and [wait]; pairs with [attend] and
   [begin_wait].

   [reason] is plain. Whoever finds a cause reads after the step, and so finds a reason; of causes that
   come at the same time it is that of one of them. *)
let[@inline] count_cause fiber reason =
  fiber.reason <- reason;
  ignore (Atomic.Loc.fetch_and_add [%atomic.loc fiber.causes] 1 : int)

let call_attention fiber =
  (Atomic.Loc.get [%atomic.loc fiber.attention]) ();
  fiber.wait ()

let fail fiber reason =
  count_cause fiber reason;
  call_attention fiber

let[@inline] forgive fiber = ignore (Atomic.Loc.fetch_and_add [%atomic.loc fiber.causes] (-1) : int)
let[@inline] has_causes fiber = Atomic.Loc.get [%atomic.loc fiber.causes] > 0

let rec is_interrupted fiber = has_causes fiber || is_interrupted_outside fiber
and[@inline] is_interrupted_outside fiber = fiber.is_alarmed && is_interrupted fiber.outer

let[@inline] is_interrupted fiber = has_causes fiber || is_interrupted_outside fiber

(* After a step of the caller's, by which all that it wrote before is seen. *)
let is_interrupted_now fiber =
  ignore (Atomic.Loc.fetch_and_add [%atomic.loc fiber.causes] 0 : int);
  is_interrupted fiber

(* Where no cause is found any more, the latest reason. *)
let rec reason fiber =
  if has_causes fiber || not fiber.is_alarmed then fiber.reason else reason fiber.outer

let[@inline] poll fiber = if is_interrupted fiber then raise (Cancelled (reason fiber))

(* Not [Atomic.Loc.set], which allocates the place that it is given. *)
let[@inline] attend fiber attention =
  if Atomic.Loc.get [%atomic.loc fiber.attention] != attention then
    ignore (Atomic.Loc.exchange [%atomic.loc fiber.attention] attention : unit -> unit)

(* [wait] is plain, so that a wait takes no atomic step of its own:

   1. The waiter stores its attention in [wait].    1. The canceller counts a cause.
   2. It takes an atomic step, as it registers.     2. It reads [wait], and calls that.
   3. It looks for a cause.

   One of the two sees the other, as read-modify-writes are full fences (see [Scheduler.sleep]). An
   attention that is called late finds its wait over. Pairs with [count_cause]. Probe: chan. *)
let[@inline] waits fiber = fiber.wait != no_wait
let[@inline] begin_wait fiber attention = fiber.wait <- attention
let[@inline] end_wait fiber = fiber.wait <- no_wait

(* A cause of [outer] alarms [inner] before it calls its attention; the look at the causes that are there
   comes after the step in [attend]. So code looks at the fibers around its own only if one of them had
   a cause since, and scopes in scopes cost the same at each depth. *)
let surround ~outer inner =
  let alarm () =
    inner.is_alarmed <- true;
    call_attention inner
  in
  inner.outer <- outer;
  attend outer alarm;
  if is_interrupted outer then inner.is_alarmed <- true

let[@inline] step t before after = Atomic.Loc.compare_and_set [%atomic.loc t.state] before after

let[@poll error] step_to_cancelled t before after reason =
  step t before after
  && begin
    count_cause t.fiber reason;
    true
  end

let is_over t = match Atomic.Loc.get [%atomic.loc t.state] with Over -> true | _ -> false

(* The party that comes last of those that cancel [t] and that end it calls this: the parent may refer to
   [t] for long, and must not keep the reason alive. The code of a fiber that is over does not look any
   more. *)
let forget t = if is_over t then t.fiber.reason <- Exit

(* First the step and then the look at the children; pairs with [start]. What is over by then has
   forgotten the cause already. *)
let rec cancel t reason =
  match Atomic.Loc.get [%atomic.loc t.state] with
  | (Fresh | Live) as before ->
      if step_to_cancelled t before (Cancelled_by reason) reason then begin
        call_attention t.fiber;
        let children = Atomic.Loc.get [%atomic.loc t.children] in
        List.iter (fun child -> cancel child reason) (Register.members children);
        forget t
      end
      else cancel t reason
  | Cancelled_by _ | Over -> ()

let is_cancelled t =
  match Atomic.Loc.get [%atomic.loc t.state] with Cancelled_by _ -> true | _ -> false

let is_left t = not (is_over t)

let rec add parent child =
  let before = Atomic.Loc.get [%atomic.loc parent.children] in
  let after = Register.add ~still:is_left before child in
  if not (Atomic.Loc.compare_and_set [%atomic.loc parent.children] before after) then
    add parent child

(* First enters the list and then looks whether the parent is cancelled; pairs with [cancel]. *)
let enter parent child =
  add parent child;
  match Atomic.Loc.get [%atomic.loc parent.state] with
  | Cancelled_by reason -> cancel child reason
  | Fresh | Live | Over -> ()

let[@inline] is_unknown t =
  Option.is_none t.parent
  && match Atomic.Loc.get [%atomic.loc t.state] with Fresh -> true | _ -> false

(* The work of [t] begins; [false] if it was cancelled before. Without a parent it stays Fresh until
   somebody else gets to know it. *)
let start t =
  (match (t.parent, Atomic.Loc.get [%atomic.loc t.state]) with
  | Some parent, Fresh ->
      enter parent t;
      ignore (step t Fresh Live : bool)
  | _ -> ());
  match Atomic.Loc.get [%atomic.loc t.state] with
  | Cancelled_by _ -> false
  | Fresh | Live | Over -> true

let[@inline] start t = is_unknown t || start t

let begin_task attention parent =
  let fiber = create_fiber attention in
  let t = create ~state:Live ~is_fork:false ~parent:(Some parent) fiber in
  enter parent t;
  t

let make_known t = ignore (step t Fresh Live : bool)

(* Those that are over are forgotten, so that the next look is short. Who has added one meanwhile keeps
   all. *)
let are_left t children =
  List.exists is_left (Register.members children)
  || begin
    ignore (Atomic.Loc.compare_and_set [%atomic.loc t.children] children none : bool);
    false
  end

let[@inline] has_children t =
  let children = Atomic.Loc.get [%atomic.loc t.children] in
  children != none && are_left t children

let[@inline] is_alone t = is_unknown t && not (has_children t)

(* The work of [t] has ended. If it was cancelled, that is no cause any more. *)
let finish t =
  (match Atomic.Loc.exchange [%atomic.loc t.state] Over with
  | Cancelled_by _ -> forgive t.fiber
  | Fresh | Live | Over -> ());
  forget t

let[@inline] finish t = if not (is_unknown t) then finish t
let rec outermost_of fiber = if fiber.outer == outermost then fiber else outermost_of fiber.outer

let[@inline] outermost_of fiber =
  if fiber.outer == outermost then fiber else outermost_of fiber.outer

let number_of fiber =
  if fiber.number = Hold.nobody then fiber.number <- Hold.fresh_number ();
  fiber.number

let number fiber = number_of (outermost_of fiber)

(* The calling fiber will perhaps hold [h]; it does once it has written the number that it gets into
   [h.holder]. So to take [h] and to hold it is one step. *)
let[@inline] may_hold fiber (h : Hold.t) =
  let fiber = outermost_of fiber in
  let number = number_of fiber in
  (match fiber.holds with
  | newest :: _ when newest == h -> ()
  | held -> fiber.holds <- h :: Hold.still_held number held);
  number

let hand_all_on part whole =
  let pass h =
    let number = may_hold whole h in
    if h.Hold.holder = part.number then h.holder <- number
  in
  List.iter pass (Hold.still_held part.number part.holds);
  part.holds <- []

let[@inline] hand_on part whole =
  match part.holds with [] -> () | _ :: _ -> hand_all_on part whole

let held fiber =
  let fiber = outermost_of fiber in
  let names = List.map (fun (h : Hold.t) -> h.name) (Hold.still_held fiber.number fiber.holds) in
  (fiber.number, names)

let[@inline] has_held fiber = match fiber.holds with [] -> false | _ :: _ -> true

let[@inline] let_go fiber outcome =
  match fiber.holds with
  | [] -> outcome
  | held ->
      let outcome = Hold.at_end fiber.number held outcome in
      fiber.holds <- [];
      outcome
