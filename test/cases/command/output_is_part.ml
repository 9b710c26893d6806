(* [drover merge -o a a b] emptied a before it had read it. *)

open Drover_command

let size file = (Unix.stat file).st_size

let () =
  Case.main ~seconds:40. @@ fun () ->
  Folder.temporary @@ fun folder ->
  let a = Filename.concat folder "0.json" and b = Filename.concat folder "1.json" in
  trace a;
  trace b;
  let before = size a in
  let end_ = Case.call (drover [ "merge"; "-o"; a; a; b ]) in
  Case.expect
    (size a >= before)
    "merge -o a a b ends well: %b; a had %d bytes, and has %d" (Case.ended_well end_) before
    (size a)
