open Drover_harness
open Body

let step = 0.01

type system = { bodies : Body.t array; steps : int }

let move b =
  b.x <- b.x +. (step *. b.vx);
  b.y <- b.y +. (step *. b.vy);
  b.z <- b.z +. (step *. b.vz)

(* Form 1, serial: each pair once; both of its bodies are written. *)
let triangular { bodies; steps } =
  let n = Array.length bodies in
  for _ = 1 to steps do
    for i = 0 to n - 1 do
      let a = bodies.(i) in
      for j = i + 1 to n - 1 do
        let b = bodies.(j) in
        let dx = a.x -. b.x and dy = a.y -. b.y and dz = a.z -. b.z in
        let squared = (dx *. dx) +. (dy *. dy) +. (dz *. dz) in
        let pull = step /. (squared *. sqrt squared) in
        a.vx <- a.vx -. (dx *. b.mass *. pull);
        a.vy <- a.vy -. (dy *. b.mass *. pull);
        a.vz <- a.vz -. (dz *. b.mass *. pull);
        b.vx <- b.vx +. (dx *. a.mass *. pull);
        b.vy <- b.vy +. (dy *. a.mass *. pull);
        b.vz <- b.vz +. (dz *. a.mass *. pull)
      done
    done;
    Array.iter move bodies
  done;
  bodies

(* Form 2: the inner loop writes the velocity of its body, which shares cache lines with what all
   domains read. *)
let attract_in_place bodies i =
  let a = bodies.(i) in
  for j = 0 to Array.length bodies - 1 do
    if i <> j then begin
      let b = bodies.(j) in
      let dx = a.x -. b.x and dy = a.y -. b.y and dz = a.z -. b.z in
      let squared = (dx *. dx) +. (dy *. dy) +. (dz *. dz) in
      let pull = step /. (squared *. sqrt squared) *. b.mass in
      a.vx <- a.vx -. (dx *. pull);
      a.vy <- a.vy -. (dy *. pull);
      a.vz <- a.vz -. (dz *. pull)
    end
  done

let naive (loop : Loop.t) { bodies; steps } =
  let finish = Array.length bodies - 1 in
  for _ = 1 to steps do
    loop ~start:0 ~finish (attract_in_place bodies);
    loop ~start:0 ~finish (fun i -> move bodies.(i))
  done;
  bodies

(* Form 3: velocities apart from what the others read, and written once a step. *)
type position = { mutable px : float; mutable py : float; mutable pz : float; weight : float }
type velocity = { mutable wx : float; mutable wy : float; mutable wz : float }

let attract positions velocities i =
  let p = positions.(i) and v = velocities.(i) in
  let wx = ref v.wx and wy = ref v.wy and wz = ref v.wz in
  for j = 0 to Array.length positions - 1 do
    if i <> j then begin
      let q = positions.(j) in
      let dx = p.px -. q.px and dy = p.py -. q.py and dz = p.pz -. q.pz in
      let squared = (dx *. dx) +. (dy *. dy) +. (dz *. dz) in
      let pull = step /. (squared *. sqrt squared) *. q.weight in
      wx := !wx -. (dx *. pull);
      wy := !wy -. (dy *. pull);
      wz := !wz -. (dz *. pull)
    end
  done;
  v.wx <- !wx;
  v.wy <- !wy;
  v.wz <- !wz

let drift positions velocities i =
  let p = positions.(i) and v = velocities.(i) in
  p.px <- p.px +. (step *. v.wx);
  p.py <- p.py +. (step *. v.wy);
  p.pz <- p.pz +. (step *. v.wz)

let split (loop : Loop.t) { bodies; steps } =
  let positions = Array.map (fun b -> { px = b.x; py = b.y; pz = b.z; weight = b.mass }) bodies in
  let velocities = Array.map (fun b -> { wx = b.vx; wy = b.vy; wz = b.vz }) bodies in
  let finish = Array.length bodies - 1 in
  for _ = 1 to steps do
    loop ~start:0 ~finish (attract positions velocities);
    loop ~start:0 ~finish (drift positions velocities)
  done;
  let body (p : position) v : Body.t =
    { x = p.px; y = p.py; z = p.pz; vx = v.wx; vy = v.wy; vz = v.wz; mass = p.weight }
  in
  Array.map2 body positions velocities

let planets_energy ~steps = energy (triangular { bodies = planets (); steps })

let problem about bodies steps =
  let forms =
    [ Kernel.serial "triangular" triangular; Kernel.drover ~name:"naive" (naive Loop.drover) ]
  in
  Kernel.Problem
    {
      about;
      input = (fun () -> { bodies = bodies (); steps });
      serial = split Loop.serial;
      versions = forms @ Loop.versions split;
      check = Body.close;
      note =
        (fun after -> Printf.sprintf "energy %.9f, then %.9f" (energy (bodies ())) (energy after));
      picture = None;
    }

let kernel : Kernel.t =
  let prepare (p : Kernel.params) =
    let n, steps = Kernel.by_size p.size ~tiny:(20, 3) ~quick:(1200, 12) ~full:(2000, 20) in
    let about = Printf.sprintf "%d random bodies, %d steps; serial is the split form" n steps in
    Ok (problem about (fun () -> random n) steps)
  in
  { name = "nbody"; doc = "random bodies that attract each other, in three forms"; prepare }

let kernel_planets : Kernel.t =
  let prepare (p : Kernel.params) =
    let steps = Kernel.by_size p.size ~tiny:100 ~quick:10_000 ~full:100_000 in
    let about = Printf.sprintf "the Sun and 4 planets, %d steps; serial is the split form" steps in
    Ok (problem about planets steps)
  in
  { name = "nbody-planets"; doc = "the Sun and its planets: loops of five iterations"; prepare }
