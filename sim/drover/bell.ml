module Machine = Drover_machine
open Machine.World

type t = { mutable is_rung : bool; mutable parked : thread option }

let glance = 1.
let create () = { is_rung = false; parked = None }
let prepare (_ : t) = Machine.Turns.sync ()

let ring bell =
  Machine.Turns.sync ();
  bell.is_rung <- true;
  Machine.Work.spend !w.model.ring;
  Option.iter Machine.Scheduler.wake bell.parked

(* It need not look up every now and then. *)
let park ?requests:(_ = [||]) bell ~until =
  Machine.Disturb.signal ();
  Machine.Turns.sync ();
  if not bell.is_rung then begin
    bell.parked <- Some (me ());
    let until = if until >= 1e9 then never else int_of_float (until *. 1e9) in
    ignore (Machine.Threads.park ~until : bool);
    bell.parked <- None
  end;
  Machine.Work.spend !w.model.ring;
  bell.is_rung <- false;
  Machine.Disturb.signal ()
