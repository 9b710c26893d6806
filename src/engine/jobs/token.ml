(* Token.

   Live --cancel e--> Cancelled e --finish--> Over
     +---------------------------finish------> Over

   The token of a scope's body lies in another, as a handler of the user's may go on outside while the body is
   paused, and resume the body elsewhere (see [Extent]). All others lie in none.

   Who begins and ends writes nothing to the token above its own, where all parts of a loop and all tasks of a
   scope would meet. So a canceller does not know what runs below:

   1. The canceller cancels the token, and counts      1. A worker begins code, and takes an atomic step.
      that in [cancellations].                         2. It looks whether one has been counted since it
   2. It alerts all workers, who look again.              last looked; if so, it looks up the tree for a
                                                          token that is cancelled, and cancels its own.

   Code that waits is not alerted:

   3. It goes down the lists of [children].            3. Before its wait, code enters the list of its parent,
                                                          and its parent that of the next, up to one that is
                                                          listed. Who enters a token then looks whether the
                                                          parent is cancelled, and cancels it from there.

   In each line one of the two sees the other. Kernel: for-1us, scope (of the simulated programs). *)

exception Cancelled of exn

(* Nobody else knows an Unknown token, so nobody can cancel it. The failure of a Fork is a cause for its
   parent. *)
type kind = Unknown | Known | Fork
type holding = { number : int; mutable holds : Hold.t list }

let no_holding = { number = Hold.nobody; holds = [] }

type t = {
  mutable causes : int; [@atomic]
  mutable reason : exn; (* of the latest *)
  mutable attention : unit -> unit; [@atomic] (* of the worker that runs its code *)
  mutable wait : unit -> unit; (* the same of its wait, or [no_wait] *)
  mutable outer : t; (* that it lies in, or [none] *)
  mutable is_alarmed : bool; (* that one has, or had, a cause *)
  mutable holding : holding; (* once it has held something; for its own code only *)
  mutable looked_up : int; (* see [is_up_to_date] *)
  parent : t; (* or [none] *)
  mutable kind : kind;
  mutable state : state; [@atomic]
  mutable children : t Shared.Register.t; [@atomic]
}

and state = Live | Cancelled_by of exn | Over

(* Of the program. Many read it, and few write it. *)
let cancellations = Atomic.make_contended 0
let no_wait () = ()

let rec none =
  {
    causes = 0;
    reason = Exit;
    attention = ignore;
    wait = no_wait;
    outer = none;
    is_alarmed = false;
    holding = no_holding;
    looked_up = 0;
    parent = none;
    kind = Unknown;
    state = Live;
    children = Shared.Register.empty;
  }

(* [looked_up] is [cancellations] when neither the token nor any above it was cancelled. That is even: the lowest bit
   of [looked_up] is whether the token is in the list of its parent. The store of one may lose another's, which does no
   harm: the tree is looked up once more, or the token is listed twice. *)
let listed = 1
let[@inline] is_listed t = t.looked_up land listed <> 0
let[@inline] is_up_to_date t = t.looked_up >= Atomic.get cancellations

let[@inline] make attention kind parent looked_up =
  {
    none with
    causes = 0;
    attention;
    looked_up;
    kind;
    parent;
    state = Live;
    children = Shared.Register.empty;
  }

let[@inline] create attention kind parent =
  make attention kind parent (parent.looked_up land lnot listed)

let[@inline] root attention = make attention Unknown none (Atomic.get cancellations)
let task parent = create ignore Known parent
let[@inline] is_unknown t = t.kind == Unknown

(* A cause is a step, after which its attention is called, perhaps more than once. The step comes before the
   look at [attention] and [wait]; pairs with [attend] and [begin_wait].

   [reason] is plain. Code that finds a cause reads it after the step, and so finds a reason; of causes that
   come at the same time it is that of one of them. *)
let[@inline] count_cause t reason =
  t.reason <- reason;
  ignore (Atomic.Loc.fetch_and_add [%atomic.loc t.causes] 1 : int)

let call_attention t =
  (Atomic.Loc.get [%atomic.loc t.attention]) ();
  t.wait ()

let fail t reason =
  count_cause t reason;
  call_attention t

let[@inline] forgive t = ignore (Atomic.Loc.fetch_and_add [%atomic.loc t.causes] (-1) : int)
let[@inline] has_causes t = Atomic.Loc.get [%atomic.loc t.causes] > 0

(* Not [Atomic.Loc.set], which allocates the location that it is given. *)
let[@inline] attend t attention =
  if Atomic.Loc.get [%atomic.loc t.attention] != attention then
    ignore (Atomic.Loc.exchange [%atomic.loc t.attention] attention : unit -> unit)

(* [wait] is plain, so that a wait takes no atomic step of its own:

   1. The waiter stores its attention in [wait].    1. The canceller counts a cause.
   2. It takes an atomic step, as it registers.     2. It reads [wait], and calls that.
   3. It looks for a cause.

   One of the two sees the other, as read-modify-writes are full fences (see [Scheduler.sleep]). An
   attention that is called late finds its wait over. Pairs with [count_cause]. Probe: chan. *)
let[@inline] waits t = t.wait != no_wait
let[@inline] begin_wait t attention = t.wait <- attention
let[@inline] end_wait t = t.wait <- no_wait
let[@inline] state t = Atomic.Loc.get [%atomic.loc t.state]
let is_left t = match state t with Live | Cancelled_by _ -> true | Over -> false

(* Has all workers look whether what they run is cancelled. *)
let alert = ref ignore
let on_cancellation f = alert := f

(* Those that are still to be cancelled, and one that has just been, whose code and children are not told. *)
type cancellation = {
  cause : exn;
  after : state;
  mutable left : t list;
  mutable begun : t;
  mutable to_alert : bool; (* those that run below *)
}

let[@poll error] cancel_next c t rest =
  c.left <- rest;
  if Atomic.Loc.compare_and_set [%atomic.loc t.state] Live c.after then begin
    count_cause t c.cause;
    c.begun <- t
  end

(* The party that comes last of those that cancel [t] and that end it calls this: the parent may refer to
   [t] for long, and must not keep the reason alive. The code of a token that is over does not look any
   more. *)
let forget t = if not (is_left t) then t.reason <- Exit

(* First the step and then the look at the children; pairs with [enter]. *)
let go_down c t =
  call_attention t;
  if c.to_alert then begin
    ignore (Atomic.fetch_and_add cancellations 2 : int);
    !alert ();
    c.to_alert <- false
  end;
  let children = Atomic.Loc.get [%atomic.loc t.children] in
  c.left <- children.members @ c.left;
  forget t;
  c.begun <- none

(* What is interrupted goes on where it was; and takes no more stack, the more lie in each other. *)
let rec go_on c =
  if c.begun != none then go_down c c.begun;
  match c.left with
  | [] -> ()
  | t :: rest ->
      cancel_next c t rest;
      go_on c

let cancel_from t reason ~to_alert =
  Shared.insist go_on
    { cause = reason; after = Cancelled_by reason; left = [ t ]; begun = none; to_alert }

(* One alert is for all that run below the first. *)
let cancel t reason = cancel_from t reason ~to_alert:true

(* The nearest that is cancelled, of [t] and what is above it, or [Live]. *)
let rec nearest t ~now =
  match state t with
  | Cancelled_by _ as cancelled -> cancelled
  | Live | Over ->
      if t.parent == none || t.parent.looked_up >= now then Live else nearest t.parent ~now

(* First reads [cancellations], and then the tree: pairs with [go_down]. What was cancelled above has alerted all that
   run below. *)
let[@inline never] look_up t =
  let now = Atomic.get cancellations in
  match nearest t ~now with
  | Cancelled_by reason -> cancel_from t reason ~to_alert:false
  | Live | Over -> t.looked_up <- now lor (t.looked_up land listed)

let is_cancelled t =
  if not (is_up_to_date t) then look_up t;
  match state t with Cancelled_by _ -> true | Live | Over -> false

(* The first looks are inlined. *)
let[@inline] is_cause_here t =
  has_causes t
  || (not (is_up_to_date t))
     && begin
       look_up t;
       has_causes t
     end

let rec is_interrupted t = is_cause_here t || (t.is_alarmed && is_interrupted t.outer)
let[@inline] is_interrupted t = is_cause_here t || (t.is_alarmed && is_interrupted t.outer)

(* Allocates nothing, unlike a look up the tree that finds one that is cancelled. *)
let rec is_alerted t =
  has_causes t || (not (is_up_to_date t)) || (t.is_alarmed && is_alerted t.outer)

let[@inline] is_alerted t =
  has_causes t || (not (is_up_to_date t)) || (t.is_alarmed && is_alerted t.outer)

(* All that the caller wrote before is seen before what it reads next, as a read-modify-write step is a full
   fence. *)
let[@inline] fence t = ignore (Atomic.Loc.fetch_and_add [%atomic.loc t.causes] 0 : int)

let is_alerted_now t =
  fence t;
  is_alerted t

(* Its canceller counts the cause behind the step to Cancelled, so who has seen that step asks the state. *)
let own_reason t = match state t with Cancelled_by reason -> reason | Live | Over -> t.reason

(* Where no cause is found any more, the latest reason. *)
let rec reason t = if has_causes t || not t.is_alarmed then own_reason t else reason t.outer
let rec source t = if t.is_alarmed && is_interrupted t.outer then source t.outer else t
let[@inline] poll t = if is_interrupted t then raise (Cancelled (reason t))

(* A cause of [outer] alarms [inner] before it looks at its attention: the alarm is for [inner] what the step
   in [count_cause] is for [outer], and so a step follows it. The look at the causes that are there comes
   after the step in [attend]. So code looks at the tokens around its own only if one of them had
   a cause since, and scopes in scopes cost the same at each depth. *)
let surround ~outer inner =
  let alarm () =
    inner.is_alarmed <- true;
    fence inner;
    call_attention inner
  in
  inner.outer <- outer;
  attend outer alarm;
  if is_interrupted outer then inner.is_alarmed <- true

(* To enter a list *)

(* The next that is to enter, and one that has just done so and has not looked. *)
type climb = { mutable next : t; mutable entered : t; mutable pause : int }

let[@poll error] enter climb t before after =
  if Atomic.Loc.compare_and_set [%atomic.loc t.parent.children] before after then begin
    t.looked_up <- t.looked_up lor listed;
    climb.next <- t.parent;
    climb.entered <- t
  end

(* First the step and then the look whether the parent is cancelled; pairs with [go_down]. *)
let look_after_entry climb t =
  (match state t.parent with
  | Cancelled_by reason -> cancel_from t reason ~to_alert:false
  | Live | Over -> ());
  climb.entered <- none

let rec climb_on climb =
  if climb.entered != none then look_after_entry climb climb.entered;
  let t = climb.next in
  if not (t.parent == none || is_listed t) then begin
    let before = Atomic.Loc.get [%atomic.loc t.parent.children] in
    enter climb t before (Shared.Register.add ~still:is_left before t);
    if climb.entered == none then climb.pause <- Shared.back_off climb.pause;
    climb_on climb
  end

(* Two that do so at once enter a token twice, which does no harm. Each goes up from where it has entered one: so what
   is above is listed, or will be by who looks then. *)
let be_listed t =
  if not (is_listed t || t.parent == none) then
    Shared.insist climb_on { next = t; entered = none; pause = 1 }

(* Code of an [Unknown] token is to know what is part of it (see [is_alone]), although nobody cancels it. *)
let[@inline] start t =
  t.parent == none
  || begin
    if is_unknown t.parent then be_listed t else fence t;
    not (is_cancelled t)
  end

let make_known t = if is_unknown t then t.kind <- Known

(* Those that are over are forgotten, so that the next look is short. Code that has added one meanwhile keeps
   all. *)
let are_left t (children : t Shared.Register.t) =
  List.exists is_left children.members
  ||
  let none_left = Shared.Register.empty in
  ignore (Atomic.Loc.compare_and_set [%atomic.loc t.children] children none_left : bool);
  false

let[@inline] is_alone t =
  is_unknown t
  &&
  let children = Atomic.Loc.get [%atomic.loc t.children] in
  children == Shared.Register.empty || not (are_left t children)

let finish t =
  if not (is_unknown t) then begin
    (match Atomic.Loc.exchange [%atomic.loc t.state] Over with
    | Cancelled_by _ -> forgive t
    | Live | Over -> ());
    forget t
  end

(* Holds *)

let rec outermost t = if t.outer == none then t else outermost t.outer
let[@inline] outermost t = if t.outer == none then t else outermost t.outer

let still_held t =
  let { number; holds } = t.holding in
  List.filter (fun (h : Hold.t) -> h.holder = number) holds

let some = 64
let numbers = Atomic.make 0
let latest = Domain.DLS.new_key (fun () -> ref (some - 1))

(* Of the domain, which takes some at a time from what all share. No safepoint lies between the look and the store,
   so no other thread of the domain takes the same. *)
let fresh_number () =
  let latest = Domain.DLS.get latest in
  let next = !latest + 1 in
  let number = if next mod some > 0 then next else Atomic.fetch_and_add numbers some + 1 in
  latest := number;
  number

let[@inline] holding t =
  let t = outermost t in
  if t.holding == no_holding then t.holding <- { number = fresh_number (); holds = [] };
  t.holding

let[@inline] number t = (holding t).number

let[@inline] may_hold t (h : Hold.t) =
  let holding = holding t in
  (match holding.holds with
  | newest :: _ when newest == h -> ()
  | _ -> holding.holds <- h :: still_held (outermost t));
  holding.number

let[@inline] holds_any t = match t.holding.holds with [] -> false | _ :: _ -> true
let forget_held t = if holds_any t then t.holding.holds <- []

let hand_on part whole =
  if holds_any part then begin
    let pass h =
      let number = may_hold whole h in
      if h.Hold.holder = part.holding.number then h.holder <- number
    in
    List.iter pass (still_held part);
    forget_held part
  end

let held t =
  let t = outermost t in
  let names = List.map (fun (h : Hold.t) -> h.name) (still_held t) in
  (t.holding.number, names)
