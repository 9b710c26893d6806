(* The pages of the manual, and the blocks of code and output in them. *)

let read file = In_channel.with_open_bin file In_channel.input_all
let readme = "../README.md"

let manual =
  let all = Array.to_list (Sys.readdir ".") in
  List.sort compare (List.filter (fun f -> Filename.check_suffix f ".mld") all)

(* In any language, of a line without the blanks around it. *)
let opens_block line =
  List.exists (fun o -> String.starts_with ~prefix:o line) [ "{["; "{@"; "{v"; "```" ]

let closes_block line = List.mem line [ "]}"; "v}"; "```" ]
