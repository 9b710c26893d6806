(* Ahead.

   An iteration that waits for a batch is not suspended at once. On top of it, its worker begins
   the next iteration of the loop; that waits too, and so on. At last the one on top applies what
   they wait for, or it suspends the chain as a whole, for the price of one. When its operation
   has been applied, those below it have been too; one after the other ends, and returns to the
   one below.

   An iteration goes on when what is on top of it has ended, or has left the chain. So

   - a chain waits for one object: what waits for anything else leaves, i.e. is suspended by itself;
   - when thieves have nothing to do, iterations that could go on leave too, one whenever the
     worker's deque is empty;
   - a chain is begun within a short time, and a loop whose chains take long to end, because an
     iteration has much to do when its operation has been applied, begins none any more (see
     [Runahead.judge]). So what lies below waits for about one iteration of such a loop.

   Probes: ordered-map, skip-list. *)

open Effect.Deep

type place = { index : int; mutable has_left : bool (* the chain it was begun in *) }

type t = {
  context : Context.t;
  parent : Token.t; (* of their tokens *)
  iteration : place -> unit;
  left : int Atomic.t; (* how many have left their chain *)
}

let most = 64 (* in a chain *)
let long = 200e-6 (* seconds *)
let is_long_since time = Unix.gettimeofday () -. time > long
let[@inline] is_in_chain () = (Worker.here ()).chain.length > 0

let[@inline] leave t place =
  if not place.has_left then begin
    place.has_left <- true;
    ignore (Atomic.fetch_and_add t.left 1 : int)
  end

(* One that has left is suspended as any task is. No safepoint is in the handler (see [Task]). *)
let in_fiber t place =
  match t.iteration place with
  | () -> ()
  | effect Task.Suspend suspension, k ->
      leave t place;
      Task.suspend suspension k
  | effect Task.Suspend_chain suspension, k when place.has_left -> Task.suspend suspension k
  | effect Task.Go_on, k -> continue k ()
  | effect eff, k when not (Task.is_suspension eff) -> Task.refuse eff k

(* Begins the iteration [index] on top of the calling task, which [w] runs; returns when it has ended or
   left. Only a callback raises here, in the code around the iteration. *)
let run (w : Worker.t) t index =
  let chain = w.chain and before = w.context in
  let token = Token.begin_task (Worker.attention_in w t.context) t.parent in
  let context = { t.context with token } and place = { index; has_left = false } in
  if w.unmasked then Critical.reserve_stack ();
  match
    chain.length <- chain.length + 1;
    chain.free_since <- 0.;
    Worker.mask w;
    Worker.run_in w context;
    in_fiber t place
  with
  | () ->
      Worker.come_back w before;
      chain.length <- chain.length - 1
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      chain.length <- chain.length - 1;
      Worker.come_back w before;
      Printexc.raise_with_backtrace exn backtrace

let ended_soon () =
  let { Worker.free_since; _ } = (Worker.here ()).chain in
  free_since = 0. || not (is_long_since free_since)

let rec begin_in (w : Worker.t) : Worker.loop list -> bool = function
  | [] -> false
  | loop :: outer -> loop.give w Next || begin_in w outer

(* The clock is looked at when the chain has doubled. *)
let[@inline] begin_on_top (w : Worker.t) =
  let { Worker.length; since; _ } = w.chain in
  length < most
  && (length land (length - 1) <> 0 || not (is_long_since since))
  && begin_in w w.loops

let end_chain () = Worker.set_chain (Worker.here ()) Worker.no_chain

let begin_chain (w : Worker.t) awaited =
  let chain = Worker.create_chain awaited (Unix.gettimeofday ()) in
  match
    Worker.set_chain w chain;
    begin_on_top w
  with
  | has_begun ->
      end_chain ();
      has_begun
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      end_chain ();
      Printexc.raise_with_backtrace exn backtrace

(* The calling task waits for [awaited]: begins an iteration ahead, and returns when that has ended
   or left; [false] if there is none, or if there should be none. *)
let begin_next awaited =
  match Worker.mine () with
  | Some w when Fork_stack.has_loops w && not !Profile.is_on ->
      if w.chain == Worker.no_chain then begin_chain w awaited
      else w.chain.awaited = awaited && begin_on_top w
  | Some _ | None -> false

let suspend_chain (w : Worker.t) sleeper =
  let chain = w.chain in
  let come_back () = Worker.set_chain (Worker.here ()) chain in
  match
    Worker.set_chain w Worker.no_chain;
    Task.sleep_chain w sleeper
  with
  | () -> come_back ()
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      come_back ();
      Printexc.raise_with_backtrace exn backtrace

let sleep awaited sleeper =
  match Worker.mine () with
  | Some w when w.chain.awaited = awaited -> suspend_chain w sleeper
  | Some _ | None -> Task.sleep sleeper

let has_hungry_thieves (w : Worker.t) = Deque.is_empty w.core && Team.wants_work w.team

let go_on () =
  match Worker.mine () with
  | Some w when w.chain.length > 0 ->
      if w.chain.free_since = 0. then w.chain.free_since <- Unix.gettimeofday ();
      if has_hungry_thieves w then Task.yield w
  | Some _ | None -> ()
