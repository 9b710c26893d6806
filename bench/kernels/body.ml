type t = {
  mutable x : float;
  mutable y : float;
  mutable z : float;
  mutable vx : float;
  mutable vy : float;
  mutable vz : float;
  mass : float;
}

let solar_mass = 4. *. Float.pi *. Float.pi
let days_per_year = 365.24

let planet (x, y, z) (vx, vy, vz) mass =
  let per_year v = v *. days_per_year in
  { x; y; z; vx = per_year vx; vy = per_year vy; vz = per_year vz; mass = mass *. solar_mass }

let jupiter () =
  planet
    (4.84143144246472090e+00, -1.16032004402742839e+00, -1.03622044471123109e-01)
    (1.66007664274403694e-03, 7.69901118419740425e-03, -6.90460016972063023e-05)
    9.54791938424326609e-04

let saturn () =
  planet
    (8.34336671824457987e+00, 4.12479856412430479e+00, -4.03523417114321381e-01)
    (-2.76742510726411906e-03, 4.99852801234917238e-03, 2.30417297573763929e-05)
    2.85885980666130812e-04

let uranus () =
  planet
    (1.28943695621391310e+01, -1.51111514016986312e+01, -2.23307578892655734e-01)
    (2.96460137564761618e-03, 2.37847173959480950e-03, -2.96589568540237556e-05)
    4.36624404335156298e-05

let neptune () =
  planet
    (1.53796971148509165e+01, -2.59193146099879641e+01, 1.79258772950371181e-01)
    (2.68067772490389322e-03, 1.62824170038242295e-03, -9.51592254519715870e-05)
    5.15138902046611451e-05

(* Gives the first body the speed that cancels the momentum of all. *)
let rest bodies =
  let sun = bodies.(0) in
  let momentum v = Array.fold_left (fun sum b -> sum +. (v b *. b.mass)) 0. bodies in
  let against v = -.momentum v /. sun.mass in
  let vx = against (fun b -> b.vx)
  and vy = against (fun b -> b.vy)
  and vz = against (fun b -> b.vz) in
  sun.vx <- vx;
  sun.vy <- vy;
  sun.vz <- vz;
  bodies

let planets () =
  let sun = planet (0., 0., 0.) (0., 0., 0.) 1. in
  rest [| sun; jupiter (); saturn (); uranus (); neptune () |]

(* Around the points of a grid, so that no two come close: steps of a fixed length would not follow
   such an encounter, and rounding would grow into different orbits. *)
let random n =
  let rng = Random.State.make [| 2021; n |] in
  let around centre reach = centre -. reach +. Random.State.float rng (2. *. reach) in
  let side = int_of_float (ceil (Float.cbrt (float n))) in
  let place i = around (5. *. float i) 1.5 in
  let body i =
    let x = place (i mod side) and y = place (i / side mod side) and z = place (i / side / side) in
    let vx = around 0. 1. and vy = around 0. 1. and vz = around 0. 1. in
    { x; y; z; vx; vy; vz; mass = around 0.5 0.49 }
  in
  Array.init n body

let kinetic b = 0.5 *. b.mass *. ((b.vx *. b.vx) +. (b.vy *. b.vy) +. (b.vz *. b.vz))

let distance a b =
  let dx = a.x -. b.x and dy = a.y -. b.y and dz = a.z -. b.z in
  sqrt ((dx *. dx) +. (dy *. dy) +. (dz *. dz))

let energy bodies =
  let sum = ref 0. in
  for i = 0 to Array.length bodies - 1 do
    let b = bodies.(i) in
    sum := !sum +. kinetic b;
    for j = i + 1 to Array.length bodies - 1 do
      sum := !sum -. (b.mass *. bodies.(j).mass /. distance b bodies.(j))
    done
  done;
  !sum

let size b = sqrt ((b.x *. b.x) +. (b.y *. b.y) +. (b.z *. b.z))

let close ~expected bodies =
  let off i b = distance b expected.(i) > 1e-8 *. (1. +. size expected.(i)) in
  if Array.length bodies <> Array.length expected then Error "a body is missing"
  else
    match List.find_opt (fun i -> off i bodies.(i)) (List.init (Array.length bodies) Fun.id) with
    | None -> Ok ()
    | Some i ->
        let far = distance bodies.(i) expected.(i) in
        Error (Printf.sprintf "body %d is %g away from where it belongs" i far)
