(* Beside busy processes of others, a pool gets most of its fair share of the processors done. *)

open Drover_machine
open Drover_sim_programs

let processors = 16
let milliseconds = 500 (* of work: the heaps grow meanwhile *)

let share name ~neighbours =
  let p = List.find (fun (p : Program.t) -> p.name = name) All.programs in
  let sized = Program.on ~processors (Strong milliseconds) p in
  let m = Measure.run ~neighbours (Model.server processors) sized in
  Alcotest.(check bool) "the right result" true m.is_right;
  let n = float processors in
  let fair = n *. n /. (n +. float neighbours) in
  float sized.work /. float m.elapsed /. fair

(* The beginning counts: a worker that wakes up waits for a slice, and heaps have not grown. [fib] allocates so fast that
   even the largest are full within some slices. *)
let programs = [ ("tree-1us", 0.75); ("for-1us", 0.75); ("allocating", 0.75); ("fib", 0.6) ]

let case (name, least) =
  Test_support.Watchdog.case ~seconds:120. name (fun () ->
      let check neighbours =
        let share = share name ~neighbours in
        if share < least then
          Alcotest.failf "%.2f of its share beside %d, not %.2f" share neighbours least
      in
      List.iter check [ 4; 8; 16 ])

let () = Alcotest.run "beside others" [ ("on 16 processors", List.map case programs) ]
