(* Spread.

   A loop costs a hundred nanoseconds before its first iteration, and more for each that is one of its own.
   Calls on few elements are over before; but nobody knows what an element costs, or whether it waits for
   another. So the caller begins alone, with nothing between two elements, and what it has not begun is a
   fork, which others find as any other one:

   1. The caller has the first element, and then takes more and more of them: by a step of [next] each time.
   2. Where the fork begins, it takes the rest in one step, for a loop. It begins elsewhere, when a thief has
      come or the caller waits; or here, when the caller has taken all, or is to look around.

   Outside a task a fork is for a pool, which must first be woken. So there the first elements are timed, and
   what is left goes to the pool as soon as [patience] is over. But the first element may be a system call
   that takes long: so the pool is woken at once where that was not done lately. Probes: sweep, small. *)

let few = 128
let tasks = 8
let block = 4096

(* What an instrument sees is the loop. *)
let is_short n = n <= block && Option.is_none !Hooks.installed.loop

let rec in_blocks body lo hi =
  if hi - lo < block then body lo hi
  else begin
    body lo (lo + block - 1);
    Scope.check ();
    in_blocks body (lo + block) hi
  end

let rest body ~from n =
  if n - from > few then Loops.range ~start:from ~finish:(n - 1) (in_blocks body)
  else if from < n then Loops.iter ~start:from ~finish:(n - 1) (fun i -> body i i)

(* Seconds; about what it takes to wake a worker. *)
let patience = 2e-6

(* Between two elements of a call that began at [since], if that was outside a task. *)
let is_looked_for ~since =
  if since > 0. then Unix.gettimeofday () -. since > patience
  else begin
    let w = Worker.here () in
    Worker.pass_point w;
    Slice.watches w || Token.is_interrupted w.context.token
  end

(* [from] have been done. The next ones tell more, and leave others to thieves. *)
let rec go_on next acc step from ~since ~most n =
  if from = n || is_looked_for ~since then acc
  else
    let upto = Int.min n (from + Int.min most (7 * from)) in
    if Atomic.compare_and_set next from upto then
      go_on next (step acc from (upto - 1)) step upto ~since ~most n
    else acc

(* Seconds. To wake a worker so seldom costs next to nothing. *)
let seldom = 1e-3

(* When the pool was last woken at once. Races with other threads: it may be woken once more. *)
let woke = ref 0.

let is_due () =
  let now = Unix.gettimeofday () in
  now -. !woke > seldom
  && begin
    woke := now;
    true
  end

let split n acc step rest =
  if n <= 1 then ((if n = 1 then step acc 0 0 else acc), rest n)
  else
    let next = Atomic.make 1 and most = if n <= tasks then 1 else Int.min 256 (Int.max 8 (n / 3)) in
    let lead ~since = go_on next (step acc 0 0) step 1 ~since ~most n in
    let behind () = rest (if Atomic.get next = n then n else Atomic.exchange next n) in
    match Worker.mine () with
    | Some _ -> Fork_join.both (fun () -> lead ~since:0.) behind
    | None when is_due () -> (acc, rest 0)
    | None ->
        let acc = lead ~since:(Unix.gettimeofday ()) in
        (acc, behind ())

let over n body =
  if is_short n then
    ignore (split n () (fun () lo hi -> body lo hi) (fun from -> rest body ~from n))
  else rest body ~from:0 n

let light n body =
  if n > 4 * block then Loops.range ~start:0 ~finish:(n - 1) (in_blocks body)
  else if n > 0 then body 0 (n - 1)
