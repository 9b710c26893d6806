(* No signals come *)

let with_all_blocked f = f ()
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
