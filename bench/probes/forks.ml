module Task = Domainslib.Task

type t = (unit -> unit) -> (unit -> unit) -> unit

let serial f g =
  f ();
  g ()

let drover f g = ignore (Drover.both f g : unit * unit)

let domainslib pool f g =
  let second = Task.async pool g in
  f ();
  Task.await pool second
