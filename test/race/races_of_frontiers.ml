(* Rounds over the edges of a graph, in a program that opens the library. *)

open Drover

(* Vertices 0 and 1 lead to 2 and 3. *)
let gathers is_racy =
  let marks = Stdlib.Array.make 5 false and rows = [| 0; 0; 0; 1; 2 |] in
  let gather v _ _ =
    let i = if is_racy then 0 else v in
    marks.(i) <- true;
    true
  in
  ignore (Frontier.pull (Frontier.of_array 4 [| 0; 1 |]) rows ~gather : Frontier.t)

let all = [ ("Frontier.pull", gathers, "marks.(i) <- ..") ]
