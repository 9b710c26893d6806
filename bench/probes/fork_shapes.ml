open Drover_harness
open Drover_kernels

let nothing () = Sys.opaque_identity ()

(* The shapes over any fork. *)

let rec tree fork depth =
  if depth > 0 then fork (fun () -> tree fork (depth - 1)) (fun () -> tree fork (depth - 1))

let rec left fork depth = if depth > 0 then fork (fun () -> left fork (depth - 1)) nothing
let rec right fork depth = if depth > 0 then fork nothing (fun () -> right fork (depth - 1))
let pair fork () = fork (fun () -> fork nothing nothing) nothing

(* The same over [both]: to call a fork that is an argument would add a quarter to its price. *)

let both = Forks.drover

let rec our_tree depth =
  if depth > 0 then both (fun () -> our_tree (depth - 1)) (fun () -> our_tree (depth - 1))

let rec our_left depth = if depth > 0 then both (fun () -> our_left (depth - 1)) nothing
let rec our_right depth = if depth > 0 then both nothing (fun () -> our_right (depth - 1))
let our_pair () = both (fun () -> both nothing nothing) nothing

let often times f =
  for _ = 1 to times do
    f ()
  done

let shape ~rayon name operations text ours : Shapes.t =
  let zero f =
    f ();
    0
  in
  {
    name;
    operations;
    serial = (fun () -> zero (fun () -> text Forks.serial));
    versions =
      [
        Kernel.drover (fun () -> zero ours);
        Kernel.domainslib (fun pool () -> zero (fun () -> text (Forks.domainslib pool)));
      ]
      @ rayon;
  }

let repeated ~rayon name ~forks ~each text ours =
  let times = forks / each in
  shape ~rayon:(rayon times) name (times * each)
    (fun fork -> often times (fun () -> text fork))
    (fun () -> often times ours)

let fib ~rayon n : Shapes.t =
  {
    name = "fib";
    operations = Fib.forks n;
    serial = (fun () -> Fib.closures n);
    versions =
      [
        Kernel.drover (fun () -> Fib.drover n);
        Kernel.domainslib (fun pool () -> Fib.domainslib pool n);
      ]
      @ rayon n;
  }

(* A list of a thousand forks: some programs fork once for each element. *)
let long = 1000

let shapes ~forks ~depth ~n =
  let repeated name = repeated ~rayon:(Rayon.versions name) name ~forks in
  [
    shape "tree" ~rayon:(Rayon.versions "tree" depth)
      ((1 lsl depth) - 1)
      (fun fork -> tree fork depth)
      (fun () -> our_tree depth);
    fib ~rayon:(Rayon.versions "fib") n;
    repeated "for" ~each:1 (fun fork -> fork nothing nothing) (fun () -> both nothing nothing);
    repeated "pairs" ~each:2 (fun fork -> pair fork ()) our_pair;
    repeated "sevens" ~each:7 (fun fork -> tree fork 3) (fun () -> our_tree 3);
    repeated "left" ~each:long (fun fork -> left fork long) (fun () -> our_left long);
    repeated "right" ~each:long (fun fork -> right fork long) (fun () -> our_right long);
  ]

let run (s : Probe.settings) =
  let forks = Kernel.by_size s.size ~tiny:2_000 ~quick:200_000 ~full:1_000_000 in
  let depth = Kernel.by_size s.size ~tiny:9 ~quick:17 ~full:20 in
  let n = Kernel.by_size s.size ~tiny:12 ~quick:26 ~full:30 in
  List.concat_map
    (Shapes.figures ~goal:(At_most 50.) s.plan ~unit_:"ns a fork")
    (shapes ~forks ~depth ~n)

let doc =
  "what a fork costs in each shape of recursion, in ns a fork"
  ^ if Rayon.is_built then "" else "; rayon's figures need its program: dune build @rayon"

let probe : Probe.t = { name = "fork-shapes"; doc; run }
