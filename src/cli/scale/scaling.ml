(* Scaling: all that is known about how far a program scales. *)

module S = Drover.Scalability

type t = {
  program : string;
  seconds : float; (* that the first run took *)
  runs : S.t list;
  measured : S.t; (* the run whose span is the median *)
  here : Here.t option;
  simulated : Simulated.t option;
}

let make ~program ~seconds ?here ?simulated runs =
  let shorter (a : S.t) (b : S.t) = Float.compare a.span b.span in
  let measured = List.nth (List.sort shorter runs) (List.length runs / 2) in
  { program; seconds; runs; measured; here; simulated }

(* With what cores do to each other, if that was measured. *)
let of_run r ~cores m =
  match r.here with None -> S.predict m ~cores | Some here -> Here.predict here m ~cores

(* The bounds are those of all runs. *)
let predict r ~cores : S.prediction =
  let wider (p : S.prediction) m =
    let q = of_run r ~cores m in
    { p with lower = Float.min p.lower q.lower; upper = Float.max p.upper q.upper }
  in
  List.fold_left wider (of_run r ~cores r.measured) r.runs
