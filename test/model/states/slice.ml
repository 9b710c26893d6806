(* Stands for the slices: what is ready waits in one place, and so does a call of the thread. *)

let called = ref (Atomic.make false)
let waiting = ref (Atomic.make 0)
let watches (_ : Worker.t) = Atomic.get !waiting > 0
let is_called (_ : Worker.t) = Atomic.get !called
let serve_timers (_ : Worker.t) ~is_counted:(_ : bool) = ()
