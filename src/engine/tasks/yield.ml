(* Yield: a task lets others go first (see [Slice]). *)

(* Behind all that the pool has to do. In a callback it does nothing. [t] is of the calling task, whose rest is
   where its turn comes. *)
let give_way (w : Worker.t) =
  if Wait.can_wait () then begin
    let t = Waiter.of_task w in
    Team.add_outside w.team ~urgent:w.context.urgent (Waiter.rest t);
    ignore (Wait.suspend t : bool)
  end

(* Takes another job in hand, for the worker to run when it has put the task off. *)
let put_off (w : Worker.t) =
  if Search.take_next_kind w then begin
    let t = Waiter.of_task w in
    Slice.hand_out w;
    (* The task goes on with them itself, if no thief comes. *)
    Open_loops.give_all w ~behind:false;
    Inbox.add w.put_off (Waiter.rest t);
    ignore (Wait.suspend t : bool)
  end

let go_first (w : Worker.t) =
  if Slice.take_call w then give_way w
  else
    (* The task goes on at once if another worker was faster than the step to Suspended, or if a signal's handler
       raises before that: then the job in hand is for others. *)
    Failure.finally (fun () -> Task.give_back (Worker.here ())) (fun () -> put_off w)

let give_turn ~is_counted =
  match Worker.mine () with
  | Some w
    when Slice.is_due w ~is_counted && (not w.in_section) && (not w.context.urgent)
         && Wait.can_wait () ->
      Section.run go_first w
  | Some _ | None -> ()
