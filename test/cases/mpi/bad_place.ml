(* The error for a journal where none can be did not name it. *)

let place = "/dev/full"

let () =
  match Sys.argv with
  | [| _; "scene" |] ->
      let map () = Drover_mpi.map ~journal:place Fun.id [| 1 |] = [| 1 |] in
      Items.in_ranks map
  | _ ->
      Case.main @@ fun () ->
      let end_ = Case.call (Case.scene "scene") in
      let first_line = List.hd (String.split_on_char '\n' end_.output) in
      Case.expect
        ((not (Case.ended_well end_)) && Case.contains end_.output place)
        "a journal at %s: %s" place first_line
