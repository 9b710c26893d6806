(* Bundles.

   1. The consumer takes the elements of a bundle from the source, and starts a task for them.
   2. The task runs them as a loop: where one takes long or waits, other workers take those behind it. Each
      settles a slot of its own, so the consumer waits for an element, not for a bundle.
   3. The task notes how long an element took: so the consumer knows how many the next bundle is to have.
   4. A source may wait for what the elements before it do, such as for a permit that they give back. So where the
      consumer has not come back from the source for [patience], a timer starts what is there.

   Empty --add--> One more elements --the consumer has enough, or the timer comes--> Started

   Program: log lines of half a microsecond each. *)

type ('a, 'slot) bundle = Empty | One_more of ('a, 'slot) element | Started
and ('a, 'slot) element = { x : 'a; slot : 'slot; number : int; before : ('a, 'slot) bundle }

type ('a, 'b, 'slot) t = {
  f : 'a -> 'b;
  settle : 'slot -> ('b, Failure.t) result -> unit;
  most : int;
  mutable length : int; (* of the next bundle *)
  cost : float Atomic.t; (* seconds for an element of the latest bundle that has ended *)
  latest : ('a, 'slot) bundle Atomic.t Atomic.t;
  has_timer : bool Atomic.t;
}

(* Seconds: what a task is to carry. A thread outside any task comes to wait for each, and is woken. *)
let worth = 3e-5
let worth_outside = 3e-4
let patience = 2e-3 (* seconds *)

(* However cheap they are: their array is young, and a task costs each next to nothing. *)
let longest = 256

let create ~most f ~settle =
  {
    f;
    settle;
    most = Int.max 1 (Int.min most longest);
    length = 1;
    cost = Atomic.make worth;
    latest = Atomic.make (Atomic.make Started);
    has_timer = Atomic.make false;
  }

let length b = b.length
let slot e = e.slot

(* The [n] elements up to [last], oldest first. *)
let array_of n last =
  let elements = Array.make n last in
  let rec go i = function
    | One_more e ->
        elements.(i) <- e;
        go (i - 1) e.before
    | Empty | Started -> elements
  in
  go (n - 2) last.before

let call b { x; slot; _ } =
  b.settle slot (match b.f x with y -> Ok y | exception exn -> Failure.error exn)

(* As [Shared.insist], without a closure, for which a signal's handler might raise. *)
let rec settle_all b elements failure =
  try Array.iter (fun e -> b.settle e.slot failure) elements
  with exn ->
    let backtrace = Printexc.get_raw_backtrace () in
    settle_all b elements failure;
    Printexc.raise_with_backtrace exn backtrace

(* Whatever interrupts it, all slots are settled in the end. *)
let run b elements =
  let n = Array.length elements in
  match
    let began = System.now () in
    if n = 1 then call b elements.(0)
    else Loops.iter ~start:0 ~finish:(n - 1) (fun i -> call b elements.(i));
    Atomic.set b.cost ((System.now () -. began) /. float n)
  with
  | () -> ()
  | exception exn -> settle_all b elements (Failure.error exn)

(* Runs what is in [bundle], if nobody has started that yet. *)
let rec run_rest b bundle =
  match Atomic.get bundle with
  | One_more last as before ->
      let elements = array_of last.number last in
      if Atomic.compare_and_set bundle before Started then run b elements else run_rest b bundle
  | Empty | Started -> ()

(* A timer is for one bundle, and one at a time: it costs too much for each.

   1. The consumer makes a bundle the latest.         1. The timer gives itself up.
   2. It adds the first element.                      2. It looks whether another bundle has elements by now.
   3. It looks whether there is a timer.

   Each may be done twice, where a signal's handler raises: so it is the task that takes the elements. *)
let rec watch b team context bundle =
  let call () =
    Section.reserve_stack ();
    Atomic.set b.has_timer false;
    let latest = Atomic.get b.latest in
    match Atomic.get latest with
    | Started | Empty -> ()
    | One_more _ when latest != bundle -> watch b team context latest
    | One_more _ ->
        let rest = run_rest b in
        let run () = Shared.insist rest bundle in
        if Option.is_some (Promise.start_apart team context run) then Domains.see_to team
  in
  let set () = ignore (Poller.after patience call : Timers.t) in
  if not (Atomic.exchange b.has_timer true) then Shared.insist set ()

let start b elements = ignore (Pool.async (fun () -> run b elements) : unit Promise.t)

(* By a quarter at most: what the latest bundle cost may be chance, and a source that waits for its own
   elements is to find that out early. *)
let adapt b =
  let worth = if Option.is_some (Worker.mine ()) then worth else worth_outside in
  let wanted = worth /. Float.max 1e-9 (Atomic.get b.cost) in
  let longer = Int.min b.most (b.length + 1 + (b.length / 4)) in
  b.length <- (if wanted >= float longer then longer else Int.max 1 (int_of_float wanted))

let start_next b ~pull ~slot =
  let team = Pool.ambient () and bundle = Atomic.make Empty in
  Atomic.set b.latest bundle;
  let rec go n before =
    if n = b.length then begin
      adapt b;
      before
    end
    else
      match pull () with
      | None -> before
      | Some x ->
          let element = { x; slot = slot team; number = n + 1; before } in
          let all = One_more element in
          if Atomic.compare_and_set bundle before all then begin
            if n = 0 && b.length > 1 then watch b team (Task.started_here (Task.context ())) bundle;
            go (n + 1) all
          end
          else begin
            start b [| element |];
            b.length <- Int.max 1 (n / 2);
            all
          end
  in
  match go 0 Empty with
  | One_more last ->
      let elements = array_of last.number last in
      if Atomic.exchange bundle Started != Started then start b elements;
      elements
  | Empty | Started -> [||]
