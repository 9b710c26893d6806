(* Arguments of the commands *)

open Cmdliner

(* A number within bounds. *)
let bounded ~docv ~least ~most =
  let parser s =
    match int_of_string_opt s with
    | Some n when least <= n && n <= most -> Ok n
    | _ -> Error (Printf.sprintf "'%s' is not a number from %d to %d" s least most)
  in
  Arg.Conv.make ~docv ~parser ~pp:Fmt.int ()

(* Programs by name; none if all are meant. *)
let only ~doc programs name =
  let choice = Arg.enum (List.map (fun program -> (name program, program)) programs) in
  let chosen = Arg.(value & opt_all (list choice) [] & info [ "only" ] ~docv:"PROGRAM,..." ~doc) in
  Term.(const List.concat $ chosen)
