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
