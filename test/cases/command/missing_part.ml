(* [drover merge] with a part that does not exist destroyed the output that was there. *)

open Drover_command

let () =
  Case.main @@ fun () ->
  Folder.temporary @@ fun folder ->
  let file name = Filename.concat folder name in
  let output = file "output.json" and part = file "0.json" in
  trace part;
  Out_channel.with_open_bin output (fun channel -> output_string channel "kept");
  let end_ = Case.call (drover [ "merge"; "-o"; output; part; file "missing.json" ]) in
  let kept = In_channel.with_open_bin output In_channel.input_all = "kept" in
  Case.expect
    (kept && not (Case.ended_well end_))
    "when a part is missing, merge leaves the output as it was: %b" kept
