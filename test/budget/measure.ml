(* Prints what one operation of each path takes, as [Meter] counts. With the name of a path and a number,
   it makes so many runs of that path, for a tracer to see. *)

open Paths

let in_place = function
  | Alone | Timed -> Drover.run ~domains:1
  | Together -> Drover.run ~domains:2
  | Outside | Beside -> fun f -> f ()

(* The operations of a run, and what one takes in the least of five runs: another thread of the domain may
   do something in a run, but not in each. The run before them warms up. *)
let least { place; run; _ } () =
  let operations = run () in
  let count () =
    let before = Meter.count place in
    ignore (run () : int);
    Float.of_int (Meter.count place - before) /. Float.of_int operations
  in
  (operations, List.fold_left Float.min infinity (List.init 5 (fun _ -> count ())))

let print path =
  let operations, count = in_place path.place (least path) in
  Printf.printf "%s\t%d\t%f\n%!" path.name operations count

let repeat name times =
  let path = List.find (fun path -> path.name = name) all in
  in_place path.place (fun () ->
      for _ = 1 to times do
        ignore (path.run () : int)
      done)

let () =
  match Sys.argv with
  | [| _; name; times |] -> repeat name (int_of_string times)
  | _ -> List.iter print all
