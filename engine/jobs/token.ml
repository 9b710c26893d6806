(* Token.

   Live --cancel e--> Cancelled e --finish--> Over
     +---------------------------finish------> Over

   The token of a scope's body lies in another, as a handler of the user's may go on outside while the body is
   paused, and resume the body elsewhere (see [Extent]). All others lie in none. *)

exception Cancelled of exn

(* Nobody else knows an Unknown token, so nobody can cancel it. The failure of a Fork is a cause for its
   parent. *)
type kind = Unknown | Known | Fork

type t = {
  mutable causes : int; [@atomic]
  mutable reason : exn; (* of the latest *)
  mutable attention : unit -> unit; [@atomic] (* of the worker that runs its code *)
  mutable wait : unit -> unit; (* the same of its wait, or [no_wait] *)
  mutable outer : t; (* that it lies in, or [none] *)
  mutable is_alarmed : bool; (* that one has, or had, a cause *)
  mutable number : int; (* as a holder, once it is one *)
  mutable holds : Hold.t list; (* this and [number] are for its own code only *)
  parent : t; (* or [none] *)
  mutable kind : kind;
  mutable state : state; [@atomic]
  mutable children : t Shared.Register.t; [@atomic]
}

and state = Live | Cancelled_by of exn | Over

let no_wait () = ()

let rec none =
  {
    causes = 0;
    reason = Exit;
    attention = ignore;
    wait = no_wait;
    outer = none;
    is_alarmed = false;
    number = Hold.nobody;
    holds = [];
    parent = none;
    kind = Unknown;
    state = Live;
    children = Shared.Register.empty;
  }

let[@inline] create attention kind parent =
  { none with causes = 0; attention; kind; parent; state = Live; children = Shared.Register.empty }

let[@inline] root attention = create attention Unknown none
let task parent = create ignore Known parent

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

(* The first look is inlined. *)
let rec is_interrupted t = has_causes t || (t.is_alarmed && is_interrupted t.outer)
let[@inline] is_interrupted t = has_causes t || (t.is_alarmed && is_interrupted t.outer)

(* All that the caller wrote before is seen before what it reads next, as a read-modify-write step is a full
   fence. *)
let[@inline] fence t = ignore (Atomic.Loc.fetch_and_add [%atomic.loc t.causes] 0 : int)

let is_interrupted_now t =
  fence t;
  is_interrupted t

(* Where no cause is found any more, the latest reason. *)
let rec reason t = if has_causes t || not t.is_alarmed then t.reason else reason t.outer
let rec source t = if t.is_alarmed && is_interrupted t.outer then source t.outer else t
let[@inline] poll t = if is_interrupted t then raise (Cancelled (reason t))

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

let[@inline] state t = Atomic.Loc.get [%atomic.loc t.state]
let is_left t = match state t with Live | Cancelled_by _ -> true | Over -> false
let is_cancelled t = match state t with Cancelled_by _ -> true | Live | Over -> false

(* Those that are still to be cancelled, and one that has just been, whose code and children are not. *)
type cancellation = { cause : exn; after : state; mutable left : t list; mutable begun : t }

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

(* First the step and then the look at the children; pairs with [join_parent]. *)
let go_down c t =
  call_attention t;
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

let cancel t reason =
  Shared.insist go_on { cause = reason; after = Cancelled_by reason; left = [ t ]; begun = none }

(* First the step and then the look whether the parent is cancelled; pairs with [cancel]. *)
let rec join_parent t =
  let parent = t.parent in
  let before = Atomic.Loc.get [%atomic.loc parent.children] in
  let after = Shared.Register.add ~still:is_left before t in
  if Atomic.Loc.compare_and_set [%atomic.loc parent.children] before after then
    match state parent with Cancelled_by reason -> cancel t reason | Live | Over -> ()
  else join_parent t

let[@inline] start t =
  t.parent == none
  || begin
    join_parent t;
    not (is_cancelled t)
  end

let[@inline] is_unknown t = t.kind == Unknown
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
let still_held t = List.filter (fun (h : Hold.t) -> h.holder = t.number) t.holds
let numbers = Atomic.make (Hold.nobody + 1)

let[@inline] number t =
  let t = outermost t in
  if t.number = Hold.nobody then t.number <- Atomic.fetch_and_add numbers 1;
  t.number

let[@inline] may_hold t (h : Hold.t) =
  let number = number t and t = outermost t in
  (match t.holds with newest :: _ when newest == h -> () | _ -> t.holds <- h :: still_held t);
  number

let hand_on part whole =
  if part.holds <> [] then begin
    let pass h =
      let number = may_hold whole h in
      if h.Hold.holder = part.number then h.holder <- number
    in
    List.iter pass (still_held part);
    part.holds <- []
  end

let held t =
  let t = outermost t in
  let names = List.map (fun (h : Hold.t) -> h.name) (still_held t) in
  (t.number, names)

let forget_held t = t.holds <- []
