open Drover_harness
module Ours = Promise_shapes.Make (Domainslib_task)
module Theirs = Promise_shapes.Make (Domainslib.Task)

(* The pool that the harness has made, as one of Domainslib's. *)
let our_pool () : Domainslib_task.pool =
  { pool = Option.get (Drover.Pool.current ()); is_down = Atomic.make false }

let shape ((name, serial), (_, ours)) (_, theirs) : Shapes.t =
  let _, operations = serial () in
  {
    name;
    operations;
    serial = (fun () -> fst (serial ()));
    versions =
      [
        Kernel.drover (fun () -> ours (our_pool ())); Kernel.domainslib (fun pool () -> theirs pool);
      ];
  }

let shapes size =
  List.map2 shape (List.combine (Promise_shapes.serial size) (Ours.all size)) (Theirs.all size)

let tiny : Promise_shapes.size =
  { awaited = 1000; fib = 10; tak = 6; queens = 4; letters = 8; loops = 5 }

let quick : Promise_shapes.size =
  { awaited = 20_000; fib = 20; tak = 12; queens = 7; letters = 40; loops = 200 }

let full : Promise_shapes.size =
  { awaited = 200_000; fib = 25; tak = 18; queens = 9; letters = 100; loops = 2_000 }

let ratio figures domains =
  let on version (f : Probe.figure) = f.column = Some (Printf.sprintf "%s@%d" version domains) in
  match (List.find_opt (on "drover") figures, List.find_opt (on "domainslib") figures) with
  | Some ours, Some theirs ->
      let column = Printf.sprintf "ratio@%d" domains in
      [ Probe.ratio ~column ours.label ours.value theirs.value ]
  | _ -> []

let run (s : Probe.settings) =
  let size = Kernel.by_size s.size ~tiny ~quick ~full in
  let with_ratios shape =
    let figures = Shapes.figures s.plan ~unit_:"ns a promise" shape in
    figures @ List.concat_map (ratio figures) s.plan.domains
  in
  List.concat_map with_ratios (shapes size)

let doc = "what a promise costs in each shape, by one text over both libraries, in ns a promise"
let probe : Probe.t = { name = "promises"; doc; run }
