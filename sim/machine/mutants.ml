(* Mutants: faults that a test plants, by their names, to see whether it finds them.

   "no fence at NAME": an atomic step there waits for no plain write.
   "split NAME": a compare-and-set there is a read, and then a write.
   Others are those of sim/rewrite/rules.ml: also policies, which are exchanged in the same way. *)

open World

let[@inline] is_one text name = !mutant != "" && String.equal !mutant (text ^ name)
let[@inline] is_no_fence name = is_one "no fence at " name
let[@inline] is_split name = is_one "split " name
let[@inline] is_planted variant = is_one "" variant

(* The policies, by name *)
let policies = List.map (fun (_, _, (name, _)) -> name) Rules.policies
