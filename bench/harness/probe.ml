type goal = At_most of float | At_least of float
type figure = { label : string; value : float; unit_ : string; goal : goal option }
type settings = { size : Kernel.size; plan : Measure.plan }
type t = { name : string; doc : string; run : settings -> figure list }
type outcome = { probe : string; about : string; figures : figure list }

let figure ?goal label unit_ value = { label; value; unit_; goal }
let ratio ?goal label a b = figure ?goal label "x" (a /. b)

let met f =
  match f.goal with
  | None -> None
  | Some (At_most limit) -> Some (f.value <= limit)
  | Some (At_least limit) -> Some (f.value >= limit)

let run settings probe = { probe = probe.name; about = probe.doc; figures = probe.run settings }
