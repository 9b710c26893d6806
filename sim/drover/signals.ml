(* Signals come where [Drover_machine.Disturb] says. *)

let with_all_blocked f =
  let module World = Drover_machine.World in
  World.mask ();
  let v = Fun.protect f ~finally:World.unmask in
  Drover_machine.Disturb.signal ();
  v

let with_mask_from_all (_ : int list) f = f ()
let program_mask () : int list = []
let begin_worker (_ : int list) = ()
let refresh () = ()
let handled () : int list = []
let look_afresh () = ()

let spawn_thread live =
  ignore (Thread.create live () : Thread.t);
  true

let spawn_domain ?(keep = ignore) live =
  keep (Domain.spawn live);
  true

let take_over_finalisers () = ()
