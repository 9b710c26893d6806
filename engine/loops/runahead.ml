(* Runahead.

   In its chain --ends-----------------------> Over
     +--leaves its chain--> On its own --ends--> Over

   While an iteration is in its chain, the run waits beneath it. [left] counts those that are on
   their own, and the run, until they end. Each counts down once, whatever interrupts it, and the
   last one leaves [alone]. *)

type t = {
  begun : Ahead.t;
  alone : Alone.t;
  left : int Atomic.t; (* those that have left their chain, and the run *)
  run_ending : Alone.ending; (* of the run *)
  ending : Alone.ending; (* of all together *)
}

let count_down ahead ending =
  Alone.count_down ahead.left ending;
  if ending.was_last then begin
    Token.finish ahead.begun.parent;
    Alone.leave ahead.alone ahead.ending
  end

let leave ahead = count_down ahead ahead.run_ending

let catch iteration i =
  match
    Worker.unmask_again ();
    Task.poll ();
    iteration i
  with
  | () ->
      Worker.mask_here ();
      Ok ()
  | exception exn ->
      Worker.mask_in_handler ();
      Failure.error exn

let create context gather alone iteration_of =
  let parent = Token.begin_task ignore (Alone.token alone) and left = Atomic.make 1 in
  let rec iteration (place : Ahead.place) =
    let outcome = ref (Ok ()) and ending = Alone.ending () in
    let conclude () =
      Alone.end_piece alone gather !outcome;
      Token.finish (Worker.here ()).context.token;
      if place.has_left then count_down ahead ending
    in
    match outcome := Task.let_go (catch iteration_of place.index) with
    | () -> Critical.finish conclude
    | exception exn -> Critical.raise_after conclude () exn
  and ahead =
    {
      begun = { context; parent; iteration; left };
      alone;
      left;
      run_ending = Alone.ending ();
      ending = Alone.ending ();
    }
  in
  ahead

let begin_one w ahead i = Ahead.run w ahead.begun i

(* A chain that takes long to end may do so because of a collection, so that counts as eight that do
   not. The trust is plain, although all workers of the loop judge: a judgement that is lost, or seen
   late, makes one chain more or less. *)

let full_trust = 32
let judge trust = if Ahead.ended_soon () then Int.min full_trust (trust + 1) else trust - 8
