(* Meetings: each is a gate, which opens once for all who wait there. *)

(* Comes after the step that decides: whatever a signal's handler raises, the gate opens. *)
let open_gate gate = ignore (Ivar.fill gate () : bool)
let open_in_any_case gate = Shared.insist open_gate gate

(* A gate that the last step of a count opens. *)
module Latch = struct
  type t = { left : int Atomic.t; gate : unit Ivar.t }

  let left l = Atomic.get l.left

  let create n =
    if n < 0 then invalid_arg "Drover.Latch.create: the count is negative";
    { left = Atomic.make n; gate = Ivar.create () }

  let rec lower l () =
    let n = left l in
    if n = 0 then invalid_arg "Drover.Latch.count_down: the latch is open already"
    else if not (Atomic.compare_and_set l.left n (n - 1)) then lower l ()
    else if n = 1 then open_in_any_case l.gate

  let count_down l = Section.run (lower l) ()
  let until_open l = Wait.until_full "waits for a latch" l.gate

  let wait l =
    Point.pass ();
    if left l > 0 then Section.run until_open l
end

(* A gate for each round. The last party of a round begins the next one, with one step, and then opens
   the gate. So that step decides who has met: a party that is cancelled after it returns with its
   round. *)
module Barrier = struct
  type round = { arrived : int; gate : unit Ivar.t }
  type t = { parties : int; round : round Atomic.t }

  let fresh () = { arrived = 0; gate = Ivar.create () }

  let create parties =
    if parties < 1 then invalid_arg "Drover.Barrier.create: parties < 1";
    { parties; round = Atomic.make (fresh ()) }

  (* [false] if the round is over. *)
  let rec withdraw b gate =
    let round = Atomic.get b.round in
    round.gate == gate
    && (Atomic.compare_and_set b.round round { round with arrived = round.arrived - 1 }
       || withdraw b gate)

  (* With the note that it was made, as one step: a signal's handler may raise before or after it. *)
  let[@poll error] step_into b round next has_arrived =
    Atomic.compare_and_set b.round round next
    && begin
      has_arrived := true;
      true
    end

  let rec meet b () =
    let ({ arrived; gate } as round) = Atomic.get b.round in
    if arrived + 1 = b.parties then begin
      let next = fresh () in
      if Atomic.compare_and_set b.round round next then open_in_any_case gate else meet b ()
    end
    else begin
      let next = { round with arrived = arrived + 1 }
      and has_arrived = ref false
      and has_left = ref false in
      let wait aim gate = if step_into b round next has_arrived then Wait.until_full aim gate
      and leave () = has_left := withdraw b gate in
      let withdraw () =
        if !has_arrived then Shared.insist leave ();
        !has_left || not !has_arrived
      in
      Seat.cancellable wait "waits at a barrier" gate ~withdraw;
      if not !has_arrived then meet b ()
    end

  let wait b =
    Point.pass ();
    Section.run (meet b) ()
end
