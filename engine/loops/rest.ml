(* Rest.

   Closed --open_for_one--> Open --close--> Closed
     |                       |
     +---------leave---------+--> Left

   Closed is usual. Then only the worker [home] gives parts, in whose list of loops the run
   stands, and the run takes its iterations by stores to [loop], which nobody else reads. It is
   Open for the time of one iteration, and then any worker may give a part, to itself: so a thief
   need not wait for the end of a long iteration, nor for a system call to return. It is Left
   when the run has ended, or an effect handler of the user's has carried its frame to another
   worker: whoever sees the loop in the list of [home] still finds nothing there.

   Who does what when, for a frame that is carried off: the worker A begins the run, and an
   iteration performs an effect of the user's. Its handler keeps the continuation and returns. A
   goes on with other code, while the run stands in its list, and may give parts of it to thieves
   at any time. B resumes the continuation; the iteration ends there, and the run sees that it is
   on another worker. It makes the step to Left, which nobody's giving can come after, takes what
   is left into a rest of its own, and goes on with that.

   Each change is one compare-and-set of an immutable state, together with the stores to [loop]
   that follow from it: one step, which nothing can interrupt. A part that has been given is in
   [given] until it was joined, so it is joined or cancelled in any case. *)

type 'a part = {
  job : 'a Job.job;
  first : int;
  behind : int; (* the last one *)
  mutable is_settled : bool; (* by the run: taken back, or joined *)
}

type 'a state = {
  is_open : bool;
  next : int; (* the first that is left, while it is open *)
  stop : int;
  given : 'a part list; (* to be joined, leftmost first *)
}

type 'a t = { loop : Worker.loop; home : Worker.t; mutable state : 'a state [@atomic] }

let left = { is_open = true; next = 0; stop = 0; given = [] }

let[@inline] create home ~is_open next stop given =
  let loop = Open_loops.create next stop in
  if is_open then begin
    loop.has_moved <- true;
    loop.until <- Worker.moved
  end;
  { loop; home; state = { is_open; next; stop; given } }

let[@inline] state r = Atomic.Loc.get [%atomic.loc r.state]
let[@inline] step r before after = Atomic.Loc.compare_and_set [%atomic.loc r.state] before after

(* Pairs with the read in [give]. Not [Atomic.Loc.set]: see [Token.attend]. *)
let[@inline] publish r = ignore (Atomic.Loc.exchange [%atomic.loc r.state] (state r) : _ state)
let[@inline] is_open r = (state r).is_open
let[@inline] given r = (state r).given

(* For [home], [loop.next] is right even if it is opened for an iteration and that has not been
   taken. *)
let[@inline] next r s = if s.is_open then s.next else r.loop.next
let is_empty r = r.loop.next = (state r).stop

let[@inline] is_over r =
  match state r with
  | { stop; given = []; _ } -> r.loop.next = stop
  | { given = _ :: _; _ } -> false

(* From here on the functions are for [home], unless they say otherwise. Those that store to
   [loop.until] may overwrite the request of a cancellation: [heed] comes after. *)

(* Where the frame has moved when nothing was left, [home] is another's now: at worst this asks a loop
   that has ended. It looks at one fiber after the other, so a handler may raise here. A failure that is
   not for the code of this run does not ask it: that would go on giving, and taking back. *)
let heed r = if Token.is_interrupted_now r.home.context.token then Worker.ask_loop r.loop
let[@inline] heed_giving r w = if w == r.home then heed r

let[@poll error] step_closed r before after =
  step r before after
  && begin
    let loop = r.loop in
    loop.stop <- after.stop;
    if loop.until = Worker.moved && not loop.is_long then loop.until <- after.stop;
    loop.has_moved <- false;
    true
  end

let rec close r =
  let before = state r in
  if step_closed r before { before with is_open = false } then heed r else close r

let[@poll error] step_open r before after =
  step r before after
  && begin
    r.loop.has_moved <- true;
    r.loop.until <- r.loop.next + 1;
    true
  end

let rec open_for_one r =
  let before = state r in
  let next = r.loop.next in
  if next <> before.stop then
    if step_open r before { before with is_open = true; next = next + 1 } then heed r
    else open_for_one r

let[@poll error] step_back r before (after : _ state) =
  step r before after
  && begin
    r.loop.next <- after.next;
    r.loop.stop <- after.stop;
    r.loop.until <- (if r.loop.is_long then Worker.moved else after.stop);
    true
  end

let rec go_back r part =
  let before = state r in
  let given = List.tl before.given in
  let after = { is_open = false; next = part.first; stop = part.behind; given } in
  if step_back r before after then heed r else go_back r part

let[@poll error] step_upto r before after =
  step r before after
  && begin
    r.loop.next <- after.next;
    true
  end

let rec take_open r upto =
  let before = state r in
  let next = Int.min upto before.stop in
  if step_upto r before { before with next } then next else take_open r upto

let[@inline] take_upto r upto =
  if is_open r then take_open r upto
  else begin
    r.loop.next <- upto;
    upto
  end

let[@poll error] step_front r before after i =
  step r before after
  && begin
    let loop = r.loop in
    loop.next <- i + 1;
    loop.has_moved <- true;
    if loop.until > Worker.moved then loop.until <- Worker.moved;
    true
  end

(* The same state is made anew, so that the step fails if the frame has moved. *)
let rec take_first r =
  let before = state r in
  let i = next r before in
  if i = before.stop then None
  else if step_front r before { before with next = i + 1 } i then begin
    heed r;
    Some i
  end
  else take_first r

let[@inline] shrink r stop =
  let loop = r.loop in
  loop.stop <- stop;
  if loop.until > stop then loop.until <- stop

(* A part on its own is counted before it is given away. *)
let[@poll error] step_give r before after alone =
  (match alone with Some alone -> Alone.enter alone | None -> ());
  if step r before after then begin
    if not before.is_open then shrink r after.stop;
    true
  end
  else begin
    (match alone with Some alone -> Alone.withdraw alone | None -> ());
    false
  end

let rec give r (w : Worker.t) ~part ~add ~alone =
  let before = state r in
  let n = if before.is_open || w == r.home then before.stop - next r before else 0 in
  let size = part n in
  size > 0 && size <= n
  &&
  let stop = before.stop - size in
  let after = { before with stop; given = add stop before.stop before.given } in
  step_give r before after alone
  || begin
    Option.iter Alone.fill_if_over alone;
    give r w ~part ~add ~alone
  end

let rec forget_first r =
  let before = state r in
  if not (step r before { before with given = List.tl before.given }) then forget_first r

let rec leave r =
  let before = state r in
  if not (step r before { left with given = before.given }) then leave r

let[@inline] leave_from r before = step r before left
