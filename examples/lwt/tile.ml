(* Tile: squares of the Mandelbrot set. At zoom z the square [-2, 1] x [-1.5, 1.5] consists of 2^z x
   2^z tiles, the first at the top left. *)

open Example_servers

type t = { zoom : int; x : int; y : int }

let size = 256

(* Beyond this, the pixels of a tile are closer together than floats are. *)
let deepest = 40

let of_path path =
  let open struct
    let ( let* ) = Option.bind
  end in
  match String.split_on_char '/' path with
  | [ ""; "tile"; zoom; x; y ] ->
      let* y = Filename.chop_suffix_opt ~suffix:".png" y in
      let* zoom = Decimal.of_string ~most:deepest zoom in
      let most = (1 lsl zoom) - 1 in
      let* x = Decimal.of_string ~most x in
      let* y = Decimal.of_string ~most y in
      Some { zoom; x; y }
  | _ -> None

(* How many steps until the orbit of [cr + i ci] escapes. *)
let escape limit cr ci =
  let n = ref 0
  and zr = ref 0.
  and zi = ref 0.
  and rr = ref 0.
  and ii = ref 0. in
  while !n < limit && !rr +. !ii <= 4. do
    zi := (2. *. !zr *. !zi) +. ci;
    zr := !rr -. !ii +. cr;
    rr := !zr *. !zr;
    ii := !zi *. !zi;
    incr n
  done;
  !n

let wave phase t =
  int_of_float (127.5 *. (1. -. cos (6.283 *. (t +. phase))))

(* The set itself is black. *)
let set_pixel lines at limit n =
  let t = sqrt (float n /. 100.) in
  let colour phase = if n = limit then 0 else wave phase t in
  List.iteri
    (fun i phase -> Bytes.set_uint8 lines (at + i) (colour phase))
    [ 0.; 0.1; 0.22 ]

(* All lines are independent. *)
let render { zoom; x; y } =
  let limit = 200 + (50 * zoom) in
  let step = 3. /. float (1 lsl zoom) /. float size in
  let coordinate from tile i =
    from +. (float ((tile * size) + i) *. step)
  in
  let length = Png.line_length size in
  let lines = Bytes.make (size * length) '\000' in
  Drover.parallel_for ~start:0 ~finish:(size - 1) (fun row ->
      let ci = coordinate (-1.5) y row in
      for column = 0 to size - 1 do
        let n = escape limit (coordinate (-2.) x column) ci in
        set_pixel lines ((row * length) + 1 + (3 * column)) limit n
      done);
  Png.encode ~width:size ~height:size lines
