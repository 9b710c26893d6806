(* Ranks hung where more than 1,023 descriptors were open before [run]. *)

let () =
  match Sys.argv with
  | [| _; "scene" |] ->
      let opened = List.init 1_100 (fun _ -> Unix.openfile "/dev/null" [ O_RDONLY; O_CLOEXEC ] 0) in
      let items = Array.init 100 Fun.id in
      Items.in_ranks (fun () -> Drover_mpi.map Fun.id items = items);
      List.iter Unix.close opened
  | _ ->
      Case.main @@ fun () ->
      let with_room command = [ "sh"; "-c"; "ulimit -n 4096 && exec \"$@\""; "sh" ] @ command in
      let end_ = Case.call ~seconds:10. (with_room (Case.scene "scene")) in
      if Case.contains end_.output "ulimit" then Case.cannot "no more descriptors are allowed"
      else
        let well = Case.ended_well end_ in
        Case.expect well "a map with 1,100 open descriptors ends well: %b" well
