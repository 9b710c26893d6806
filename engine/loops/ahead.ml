(* Ahead.

   An iteration that waits for a batch is not suspended at once. On top of it, its worker begins
   the next iteration of the loop; that waits too, and so on. At last the one on top applies what
   they wait for, or it suspends the chain as a whole, for the price of one. When its operation
   has been applied, those below it have been too; one after the other ends, and returns to the
   one below.

   In its chain --ends-----------------------> Over
     +--leaves its chain--> On its own --ends--> Over

   An iteration goes on when what is on top of it has ended, or has left the chain. So

   - a chain waits for one object: what waits for anything else leaves, i.e. is suspended by itself;
   - when thieves have nothing to do, iterations that could go on leave too, one whenever the
     worker's deque is empty;
   - a chain is begun within a short time, and a loop whose chains take long to end, because an
     iteration has much to do when its operation has been applied, begins none any more (see
     [judge]). So what lies below waits for about one iteration of such a loop.

   Probes: ordered-map, skip-list. *)

open Effect.Deep

type t = {
  context : Context.t;
  parent : Token.t; (* of the iterations' tokens *)
  iteration : int -> unit;
  errors : Error_group.t;
  alone : Alone.t;
  left : int Atomic.t; (* those that have left their chain and not ended, and the run *)
  run_ending : Alone.ending;
  ending : Alone.ending; (* of all together *)
}

let create context errors alone iteration =
  {
    context;
    parent = Token.begin_task ignore (Alone.token alone);
    iteration;
    errors;
    alone;
    left = Atomic.make 1;
    run_ending = Alone.ending ();
    ending = Alone.ending ();
  }

(* Each that has left counts down once, whatever interrupts it, and the last one leaves [alone]. *)
let count_down t ending =
  Alone.count_down t.left ending;
  if ending.was_last then begin
    Token.finish t.parent;
    Alone.leave t.alone t.ending
  end

let leave t = count_down t t.run_ending

(* One iteration *)

type place = { mutable has_left : bool (* the chain that it was begun in *) }

let[@inline] leave_chain t place =
  if not place.has_left then begin
    place.has_left <- true;
    ignore (Atomic.fetch_and_add t.left 1 : int)
  end

(* Does not raise but what callbacks do. *)
let to_its_end t place i =
  let outcome = ref (Ok ()) and ending = Alone.ending () in
  let conclude () =
    Alone.end_piece t.alone t.errors !outcome;
    Token.finish (Worker.here ()).context.token;
    if place.has_left then count_down t ending
  and iteration () =
    Masking.unmask_again ();
    Task.poll ();
    t.iteration i
  in
  match outcome := Task.let_go (Task.catch iteration) with
  | () -> Critical.finish conclude
  | exception exn -> Critical.raise_after conclude () exn

(* What suspends a chain passes, unless this iteration has left it; it is suspended as any task is
   then. No safepoint is in the handler (see [Task]). *)
let in_fiber t place i =
  match to_its_end t place i with
  | () -> ()
  | effect Task.Suspend suspension, k when place.has_left || not (Task.takes_chain suspension) ->
      leave_chain t place;
      Task.suspend suspension k
  | effect Task.Go_on, k -> continue k ()
  | effect eff, k when not (Task.is_own eff) -> Task.refuse eff k

let end_one (w : Worker.t) (chain : Chain.t) before =
  chain.length <- chain.length - 1;
  Current.return_to w before

let begin_one (w : Worker.t) t i =
  let chain = w.chain and before = w.context in
  let token = Token.begin_task (Masking.attention_in w t.context) t.parent in
  let context = { t.context with token } and place = { has_left = false } in
  if w.unmasked then Critical.reserve_stack () else Critical.reserve_handler ();
  match
    chain.length <- chain.length + 1;
    chain.free_since <- 0.;
    Masking.mask w;
    Current.run_in w context;
    in_fiber t place i
  with
  | () -> end_one w chain before
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      end_one w chain before;
      Printexc.raise_with_backtrace exn backtrace

(* Whether to begin one: how far a loop trusts that its chains end soon. One that takes long may do so
   because of a collection, so that counts as eight that do not. The trust is plain, although all
   workers of the loop judge: a judgement that is lost, or seen late, makes one chain more or less. *)

let long = 200e-6 (* seconds *)
let is_long_since time = Unix.gettimeofday () -. time > long
let full_trust = 32

let judge trust =
  let { Chain.length; free_since; _ } = (Worker.here ()).chain in
  if length > 0 then trust
  else if free_since = 0. || not (is_long_since free_since) then Int.min full_trust (trust + 1)
  else trust - 8

(* For a task that waits for a batch *)

let most = 64 (* in a chain *)

let rec begin_in (w : Worker.t) : Worker.loop list -> bool = function
  | [] -> false
  | loop :: outer -> loop.give w Next || begin_in w outer

(* The clock is looked at when the chain has doubled. *)
let[@inline] begin_on_top (w : Worker.t) =
  let { Chain.length; since; _ } = w.chain in
  length < most
  && (length land (length - 1) <> 0 || not (is_long_since since))
  && begin_in w w.loops

(* [f ()], after which the calling worker has [after]. *)
let with_chain (w : Worker.t) chain ~after f =
  Critical.finally
    (fun () ->
      Worker.set_chain w chain;
      f ())
    (fun () -> Worker.set_chain (Worker.here ()) after)

let begin_chain (w : Worker.t) awaited =
  let chain = Chain.create ~awaited ~since:(Unix.gettimeofday ()) in
  with_chain w chain ~after:Chain.none (fun () -> begin_on_top w)

let begin_next awaited =
  match Worker.mine () with
  | Some w when Open_loops.are_any w && Hooks.shortcuts () ->
      if w.chain == Chain.none then begin_chain w awaited
      else w.chain.awaited = awaited && begin_on_top w
  | Some _ | None -> false

let wait awaited waiter =
  match Worker.mine () with
  | Some w when w.chain.awaited = awaited ->
      with_chain w Chain.none ~after:w.chain (fun () -> Task.wait_with_chain w waiter)
  | Some _ | None -> Task.wait_unseen waiter

let has_hungry_thieves (w : Worker.t) = Deque.is_empty w.core && Team.wants_work w.team

let go_on () =
  match Worker.mine () with
  | Some w when w.chain.length > 0 ->
      if w.chain.free_since = 0. then w.chain.free_since <- Unix.gettimeofday ();
      if has_hungry_thieves w then Task.yield w
  | Some _ | None -> ()
