(* A pipeline: lines are read one after the other, worked on in parallel, and written in their
   order. *)

let process read work write =
  let lines = Seq.of_dispenser read in
  let results = Drover.Seq.map work lines in
  Seq.iter write results

let () =
  let last = ref 0 in
  let read () =
    incr last;
    if !last > 8 then None else Some !last
  in
  process read (fun n -> n * n) (Printf.printf "%d\n")
