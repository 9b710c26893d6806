type goal = At_most of float | At_least of float

type figure = {
  label : string;
  column : string option;
  value : float;
  unit_ : string;
  goal : goal option;
}

type settings = { size : Kernel.size; plan : Measure.plan }
type t = { name : string; doc : string; run : settings -> figure list }
type outcome = { probe : string; about : string; figures : figure list }

let figure ?goal ?column label unit_ value = { label; column; value; unit_; goal }
let ratio ?goal ?column label a b = figure ?goal ?column label "x" (a /. b)
let as_fast = "x as fast"
let speed ?column label x = figure ?column label as_fast x

let cost f =
  match String.split_on_char ' ' f.unit_ with
  | ("ns" | "us" | "ms" | "s") :: _ -> Some f.value
  | _ when f.unit_ = as_fast || f.unit_ = "a ms" -> Some (1. /. f.value)
  | _ -> None

let met f =
  match f.goal with
  | None -> None
  | Some (At_most limit) -> Some (f.value <= limit)
  | Some (At_least limit) -> Some (f.value >= limit)

let run settings probe = { probe = probe.name; about = probe.doc; figures = probe.run settings }
