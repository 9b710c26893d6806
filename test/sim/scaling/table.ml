(* table.exe FIGURES...: the table of what figures.exe has printed. *)

let head =
  "# How programs scale on a simulated server with 16 and with 64 processors (sim/programs).\n\
   #\n\
   # times     the speed-up: the work of the program over the time that it took\n\
   # accesses  to lines of the cache that another processor had, an operation\n\
   #\n\
   # The figures are exact, rounded to two digits. A program that becomes slower, or faster, fails \
   the test.\n\
   # \"dune promote\" then renews the table: say why in the commit.\n"

let fields line =
  match String.split_on_char '\t' line with
  | name :: _ :: speed_up :: accesses :: _ -> (name, [ speed_up; accesses ])
  | _ -> failwith ("not a line of figures: " ^ line)

let read file = List.map fields (In_channel.with_open_text file In_channel.input_lines)

let print_row name cells =
  print_endline
    (String.concat "" (Printf.sprintf "%-16s" name :: List.map (Printf.sprintf " %9s") cells))

let () =
  let files = List.tl (Array.to_list Sys.argv) in
  let all = List.map read files in
  let columns file =
    let processors = Filename.remove_extension (Filename.basename file) in
    [ "times " ^ processors; "accesses" ]
  in
  print_string head;
  print_row "" (List.concat_map columns files);
  let row (name, _) = print_row name (List.concat_map (List.assoc name) all) in
  List.iter row (List.hd all)
