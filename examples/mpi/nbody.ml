(* Bodies that attract each other: each rank moves its own, and all ranks exchange places. *)

open Drover_mpi

let step = 0.01

(* Three coordinates for each body. *)
let pull places i =
  let fx = ref 0. and fy = ref 0. and fz = ref 0. in
  for j = 0 to (Array.length places / 3) - 1 do
    if i <> j then begin
      let d k = places.((3 * j) + k) -. places.((3 * i) + k) in
      let x = d 0 and y = d 1 and z = d 2 in
      let square = (x *. x) +. (y *. y) +. (z *. z) +. 0.01 in
      let force = 1. /. (square *. sqrt square) in
      fx := !fx +. (x *. force);
      fy := !fy +. (y *. force);
      fz := !fz +. (z *. force)
    end
  done;
  (!fx, !fy, !fz)

(* Moves the bodies of this rank, and gets the places of all. *)
let advance places mine speeds first =
  Drover.parallel_for ~start:0
    ~finish:((Array.length mine / 3) - 1)
    (fun b ->
      let fx, fy, fz = pull places (first + b) in
      List.iteri
        (fun k f ->
          let c = (3 * b) + k in
          speeds.(c) <- speeds.(c) +. (step *. f);
          mine.(c) <- places.((3 * first) + c) +. (step *. speeds.(c)))
        [ fx; fy; fz ]);
  Numbers.all_gather (Numbers.floats mine) (Numbers.floats places)

let simulate bodies steps () =
  let share = bodies / size () in
  let places =
    Array.init (3 * bodies) (fun c -> Float.sin (float (c * c)))
  in
  let mine = Array.make (3 * share) 0.
  and speeds = Array.make (3 * share) 0. in
  for _ = 1 to steps do
    advance places mine speeds (rank () * share)
  done;
  places

(* The same everywhere. *)
let () =
  run @@ fun () ->
  let all = everywhere (simulate (60 * size ()) 10) in
  assert (Array.for_all (fun places -> places = all.(0)) all);
  print_endline "all ranks know where the bodies are"
