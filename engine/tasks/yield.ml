(* Yield: a task lets others go first (see [Slice]). *)

(* In a callback it does nothing. *)
let put_off (w : Worker.t) inbox =
  let t = Waiter.of_task w in
  Team.add_to w.team inbox (Waiter.rest t);
  ignore (Wait.suspend t : bool);
  (* Another worker was faster than the step to Suspended. *)
  let w = Worker.here () in
  if w.in_hand then Task.give_back w

(* Behind all that the pool has to do. *)
let give_way (w : Worker.t) =
  if Wait.can_wait () then put_off w (Team.inbox w.team ~urgent:w.context.urgent)

(* See [Slice]. *)
let give_turn () =
  let go_first (w : Worker.t) =
    if w.is_called || Search.take_next_kind w then begin
      w.is_called <- false;
      put_off w w.team.put_off
    end
  in
  match Worker.mine () with
  | Some w when Slice.is_due w && (not w.in_section) && (not w.context.urgent) && Wait.can_wait ()
    ->
      Section.run go_first w
  | Some _ | None -> ()
