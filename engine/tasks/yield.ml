(* Yield: a task lets others go first (see [Slice]). *)

(* [put job] has [job], the rest of the task, lie where its turn comes. *)
let suspend (w : Worker.t) put =
  let t = Waiter.of_task w in
  put (Waiter.rest t);
  ignore (Wait.suspend t : bool);
  (* Another worker was faster than the step to Suspended. *)
  let w = Worker.here () in
  if w.in_hand then Task.give_back w

(* Behind all that the pool has to do. In a callback it does nothing. *)
let give_way (w : Worker.t) =
  if Wait.can_wait () then suspend w (Team.add_outside w.team ~urgent:w.context.urgent)

let go_first (w : Worker.t) =
  if w.is_called then begin
    w.is_called <- false;
    suspend w (Team.add_outside w.team ~urgent:false)
  end
  else if Search.take_next_kind w then begin
    Slice.hand_out w;
    suspend w (Inbox.add w.put_off)
  end

let give_turn () =
  match Worker.mine () with
  | Some w when Slice.is_due w && (not w.in_section) && (not w.context.urgent) && Wait.can_wait ()
    ->
      Section.run go_first w
  | Some _ | None -> ()
