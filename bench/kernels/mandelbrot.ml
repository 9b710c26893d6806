open Drover_harness

(* A picture of [-2.2, 1] x [-1.2, 1.2]; [limit] iterations count as never. *)
type view = { width : int; height : int; limit : int }

(* Local references stay in registers, where the arguments of a recursive function would be
   boxed. *)
let[@inline] escape limit cr ci =
  let n = ref 0 and zr = ref 0. and zi = ref 0. and rr = ref 0. and ii = ref 0. in
  while !n < limit && !rr +. !ii <= 4. do
    zi := (2. *. !zr *. !zi) +. ci;
    zr := !rr -. !ii +. cr;
    rr := !zr *. !zr;
    ii := !zi *. !zi;
    incr n
  done;
  !n

(* Two bytes a pixel. *)
let row view counts y =
  let ci = (2.4 *. float y /. float (max 1 (view.height - 1))) -. 1.2 in
  for x = 0 to view.width - 1 do
    let cr = (3.2 *. float x /. float (max 1 (view.width - 1))) -. 2.2 in
    Bytes.set_uint16_le counts (2 * ((y * view.width) + x)) (escape view.limit cr ci)
  done

let draw (for_each : Loop.t) view =
  let counts = Bytes.create (2 * view.width * view.height) in
  for_each ~start:0 ~finish:(view.height - 1) (row view counts);
  counts

(* Black inside; outside, colours that run through dark blue, light and amber as the orbits escape
   later. *)
let colour limit n =
  if n >= limit then (0, 0, 0)
  else
    let t = sqrt (float n /. float limit) in
    let wave phase = int_of_float (127.5 *. (1. -. cos (6.283 *. ((1.6 *. t) +. phase)))) in
    (wave 0., wave 0.1, wave 0.22)

let ppm view counts =
  let b = Buffer.create ((3 * view.width * view.height) + 32) in
  Printf.bprintf b "P6\n%d %d\n255\n" view.width view.height;
  for i = 0 to (view.width * view.height) - 1 do
    let red, green, blue = colour view.limit (Bytes.get_uint16_le counts (2 * i)) in
    List.iter (Buffer.add_uint8 b) [ red; green; blue ]
  done;
  Buffer.contents b

let inside view counts =
  let n = ref 0 in
  for i = 0 to (view.width * view.height) - 1 do
    if Bytes.get_uint16_le counts (2 * i) = view.limit then incr n
  done;
  !n

let kernel : Kernel.t =
  let prepare (p : Kernel.params) =
    let width, height, limit =
      Kernel.by_size p.size ~tiny:(24, 18, 50) ~quick:(640, 480, 300) ~full:(1600, 1200, 500)
    in
    let view = { width; height; limit } in
    let describe counts = Printf.sprintf "%d pixels inside the set" (inside view counts) in
    Ok
      (Kernel.Problem
         {
           about = Printf.sprintf "%d x %d pixels, at most %d iterations" width height limit;
           input = (fun () -> view);
           serial = draw Loop.serial;
           versions = Loop.versions draw;
           check = Kernel.equal describe;
           note = describe;
           picture = Some (fun counts -> ("mandelbrot.ppm", ppm view counts));
         })
  in
  { name = "mandelbrot"; doc = "Mandelbrot set; --out writes the picture"; prepare }
