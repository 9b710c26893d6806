(* Two maps at a time with one journal damaged it: half of the records could be read afterwards. *)

let is_right folder =
  match Items.map folder with
  | right -> right
  | exception Failure _ -> true (* the journal is in use, and stays as it is *)

let both folder =
  let map () = is_right folder in
  Drover.both map map = (true, true)

(* Whether the two end well; whether another map does afterwards, and how many items that computes. *)
let round _ =
  Folder.temporary @@ fun folder ->
  let run what () = Case.ended_well (Case.call (Case.scene what @ [ folder ])) in
  let both = run "both" () in
  let again, computed = Items.computed folder (run "again") in
  (both && again, computed)

let () =
  match Sys.argv with
  | [| _; "both"; folder |] -> Items.in_ranks (fun () -> both folder)
  | [| _; "again"; folder |] -> Items.in_ranks (fun () -> Items.map folder)
  | _ ->
      Case.main ~seconds:60. @@ fun () ->
      let rounds = List.init 5 round in
      let well = List.for_all fst rounds in
      let computed = List.fold_left Int.max 0 (List.map snd rounds) in
      Case.expect
        (well && computed = 0)
        "two maps with one journal end well: %b; a third computes up to %d of 100 items again" well
        computed
