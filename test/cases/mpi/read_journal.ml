(* A program that opened and closed its journal itself let another job in. *)

let rec read folder =
  Unix.sleepf 0.3;
  if not (Sys.file_exists (Items.journal folder)) then read folder
  else begin
    ignore (In_channel.with_open_bin (Items.journal folder) In_channel.length : int64);
    print_endline "read"
  end

let map folder = Items.map ~seconds:0.05 folder

let map_and_read folder =
  let reader = Thread.create read folder in
  let right = map folder in
  Thread.join reader;
  right

let () =
  match Sys.argv with
  | [| _; "read"; folder |] -> Items.in_ranks (fun () -> map_and_read folder)
  | [| _; "map"; folder |] -> Items.in_ranks (fun () -> map folder)
  | _ ->
      Case.main @@ fun () ->
      Folder.temporary @@ fun folder ->
      let first = Case.start (Case.scene "read" @ [ folder ]) in
      ignore (Case.until_it_says first "read" : string);
      let second = Case.call (Case.scene "map" @ [ folder ]) in
      ignore (Case.ending first : Case.ending);
      let is_refused = Case.contains second.output "in use" in
      Case.expect is_refused
        "once a job has read its journal, another job with that journal is refused: %b" is_refused
