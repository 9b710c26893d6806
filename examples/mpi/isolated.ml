(* A function that two domains must not call at a time, as it has a table for the whole program: each rank has its own,
   and one domain. *)

let seen : (char, unit) Hashtbl.t = Hashtbl.create 26

let letters word =
  Hashtbl.reset seen;
  String.iter (fun c -> Hashtbl.replace seen c ()) word;
  Hashtbl.length seen

let words = [| "banana"; "letter"; "mississippi" |]

let () =
  Drover_mpi.run ~domains:1 (fun () ->
      let counts = Drover_mpi.map letters words in
      Array.iter2 (Printf.printf "%s: %d letters\n") words counts)
