(* Runs of the functions of memo tables, and which of them wait for which.

   A run waits for those that are computed for it on the way, and for those of others that its tasks await.
   None may wait for itself, by however many steps. To look at each wait at all that wait for the waiter
   would take longer and longer, the more runs there are. So each run has a level, and those that wait for a
   run lie above it. What is computed on the way begins far below what it is computed for; runs only rise.

   1. The waiter notes itself with the run.
   2. If it lies above the run, and nobody is at step 3, there is no circle: it waits.
   3. Else it looks for one: whether the run waits for it already. That can only be by runs between the two
      levels, so these are few, as a rule. If there is none, the waiter rises above the run, those who wait
      for it rise above it, and so on.

   While several are at step 3, levels say little: then each of them, and who comes to step 2, looks at
   all that wait for the waiter.

   Of the waiters that close a circle, the last to come to step 2 or 3 sees it. All have noted themselves by
   then. If another is at step 3, the last one looks everywhere. If not, the others lie above what they wait
   for, so that the run is above the waiter, which has to look between them.

   All have risen after few steps, unless another closes a circle meanwhile, and is slow to see it. Who goes
   round for long gives up, and never leaves step 3: from then on each wait looks everywhere.

   A run rises, and then those are looked at that wait for it. A waiter notes itself, and then looks at the
   level of the run. So one of the two sees the other. *)

type t = {
  computed_for : t option;
  hash : int; (* of its key *)
  awaited_by : t list Atomic.t;
  ended : unit Ivar.t;
  mutable level : int; [@atomic]
}

(* How many have come to step 3, and how many have left it. *)
type order = { begun : int Atomic.t; left : int Atomic.t }

let order () = { begun = Atomic.make 0; left = Atomic.make 0 }

(* [left] first: so nobody is there in between. *)
let is_quiet order =
  let left = Atomic.get order.left in
  Atomic.get order.begun = left

(* As many can rise between a run and what it is computed for. *)
let apart = 1 lsl 20
let[@inline] level run = Atomic.Loc.get [%atomic.loc run.level]

let create computed_for ~hash =
  let level = match computed_for with None -> 0 | Some run -> level run - apart in
  { computed_for; hash; awaited_by = Atomic.make []; ended = Ivar.create (); level }

let ended run = run.ended

(* Those who are noted wait for nothing but to be woken. Tasks that are left behind may keep the run. *)
let finish run =
  if Atomic.get run.awaited_by != [] then Atomic.set run.awaited_by [];
  ignore (Ivar.fill run.ended () : bool)

let waiters run =
  let awaited_by = Atomic.get run.awaited_by in
  match run.computed_for with None -> awaited_by | Some other -> other :: awaited_by

let note waiter run = Shared.change run.awaited_by (List.cons waiter)

(* A run is noted as often as its tasks wait; one note is removed each time. *)
let forget waiter run =
  let rec without_one = function
    | [] -> []
    | other :: rest -> if other == waiter then rest else other :: without_one rest
  in
  if Atomic.get run.awaited_by != [] then Shared.change run.awaited_by without_one

(* Circles *)

module Seen = Hashtbl.Make (struct
  type nonrec t = t

  let equal = ( == )
  let hash run = run.hash
end)

(* Whether [run] waits for [waiter], by runs that lie no higher than [most]. *)
let waits_for run waiter ~most =
  let seen = Seen.create 16 in
  let rec look = function
    | [] -> false
    | here :: _ when here == run -> true
    | here :: rest when level here > most || Seen.mem seen here -> look rest
    | here :: rest ->
        Seen.add seen here ();
        look (List.rev_append (waiters here) rest)
  in
  look [ waiter ]

(* Levels *)

let rec rise_above below run =
  let before = level run in
  if before <= below && not (Atomic.Loc.compare_and_set [%atomic.loc run.level] before (below + 1))
  then rise_above below run

(* More steps than any program has runs at a time. *)
let most_steps = 1 lsl 20

(* [todo] is which are to rise above what. It may be called again. *)
let rec rise ~steps todo =
  match !todo with
  | (below, run) :: rest when steps > 0 ->
      rise_above below run;
      let here = level run in
      let is_low waiter = if level waiter <= here then Some (here, waiter) else None in
      todo := List.rev_append (List.filter_map is_low (waiters run)) rest;
      rise ~steps:(steps - 1) todo
  | [] | _ :: _ -> ()

(* [turn] have come to step 3 before. *)
let look_and_rise order turn waiter run todo =
  let was_quiet = Atomic.get order.left = turn and here = level run in
  let is_alone () = was_quiet && Atomic.get order.begun = turn + 1 in
  waits_for run waiter ~most:(if was_quiet then here else max_int)
  || ((not (is_alone ())) && waits_for run waiter ~most:max_int)
  ||
  let rise = rise ~steps:most_steps in
  todo := [ (here, waiter) ];
  Shared.insist rise todo;
  false

let closes_circle order waiter run =
  (* The waiter first: the run may rise meanwhile. *)
  let is_above = level waiter > level run and todo = ref [] in
  if not (is_quiet order) then Wait.briefly (fun () -> is_quiet order);
  if is_above then (not (is_quiet order)) && waits_for run waiter ~most:max_int
  else
    (* Not [Atomic.incr], which allocates. *)
    let leave () = if !todo = [] then ignore (Atomic.fetch_and_add order.left 1 : int) in
    (* No safepoint lies between the step and the handler. *)
    let turn = Atomic.fetch_and_add order.begun 1 in
    match look_and_rise order turn waiter run todo with
    | closes ->
        leave ();
        closes
    | exception exn ->
        leave ();
        raise exn
