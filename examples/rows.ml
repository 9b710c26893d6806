(* A serial loop that becomes parallel: each row of a picture is drawn by itself. *)

let width = 60
let height = 20

(* How many steps a point of the plane takes to leave the circle of radius 2. *)
let steps x y =
  let cx = (3. *. float x /. float width) -. 2.25
  and cy = (2. *. float y /. float height) -. 1. in
  let rec go n zx zy =
    let x2 = zx *. zx and y2 = zy *. zy in
    if n = 99 || x2 +. y2 > 4. then n
    else go (n + 1) (x2 -. y2 +. cx) ((2. *. zx *. zy) +. cy)
  in
  go 0 0. 0.

let draw_row image y =
  for x = 0 to width - 1 do
    Bytes.set image.(y) x (if steps x y = 99 then '#' else '.')
  done

let () =
  let image = Array.init height (fun _ -> Bytes.make width ' ') in
  Drover.parallel_for ~start:0 ~finish:(height - 1) (fun y ->
      draw_row image y);
  Array.iter (fun row -> print_endline (Bytes.to_string row)) image
