(* Scaling: all that is known about how far a program scales. *)

module S = Drover.Scalability

type t = {
  program : string;
  seconds : float; (* that the first run took *)
  measured : S.t;
  here : Here.t option;
}

(* With what cores do to each other, if that was measured. *)
let predict r ~cores =
  match r.here with
  | None -> S.predict r.measured ~cores
  | Some here -> Here.predict here r.measured ~cores
