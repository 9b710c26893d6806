(* Open loops.

   A loop makes no jobs before somebody asks it for a part: it stands in its worker's list with what is
   left of it. To ask is to store [asked] in its [until], before which it looks around; then it gives.

   Loops give from the outermost inwards, the larger pieces first. A loop that begins inside one
   that was asked is asked too, as it may come to the end of an iteration first. *)

open Worker

let[@inline] create next stop =
  { next; stop; until = stop; has_moved = false; is_long = false; give = (fun _ _ -> false) }

let none = create 0 0
let[@inline] are_any w = match w.loops with [] -> false | _ :: _ -> true
let outermost v = List.fold_left (fun _ loop -> loop) none v.loops

(* To ask *)

let is_asked loop = loop.until = asked
let are_asked w = List.exists is_asked w.loops

(* A request may be lost, but not that of a cancellation. *)
let set_until w loop until =
  loop.until <- until;
  if Token.is_interrupted_now w.context.token then ask_loop loop

let calm_until loop = if loop.has_moved then moved else loop.stop
let calm w = List.iter (fun loop -> set_until w loop (calm_until loop)) w.loops
let calm_mine w loop = if is_asked loop then set_until w loop (calm_until loop)

(* The list *)

let[@inline] enter w loop =
  let outer = w.loops in
  w.loops <- loop :: outer;
  pass_point w;
  match outer with
  | outer :: _ when is_asked outer -> ask_loop loop
  | _ :: _ | [] ->
      (* Comes after the step into the list; pairs with [Token.count_cause], and, as the fence that it is,
         with the last look of [Scheduler.sleep]. *)
      if Token.is_interrupted_now w.context.token then ask_loop loop

(* If the task was suspended meanwhile, the loop is in nobody's list any more. *)
let[@inline] leave w loop =
  if w == here () then match w.loops with l :: loops when l == loop -> w.loops <- loops | _ -> ()

(* To give *)

let give_half_of loops w = List.exists (fun loop -> loop.give w Half) (List.rev loops)
let give_half w = give_half_of w.loops w
let take_half v w = give_half_of v.loops w

let give_all w portion =
  let give loop = ignore (loop.give w portion : bool) in
  List.iter give (List.rev w.loops)

let leave_all w =
  give_all w Leaving;
  w.loops <- []

(* To wake another worker for a loop *)

let seldom = 200e-6 (* seconds *)

let may_wake w now =
  now -. w.woke > seldom
  && begin
    w.woke <- now;
    true
  end
