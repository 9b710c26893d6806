(* Files and commands: system calls, in loops. *)

(* To read a file that the system has in its cache takes no longer than to
   hand the call to another thread. *)
let occurrences word files =
  Drover.List.map
    (fun file ->
      let text = In_channel.with_open_bin file In_channel.input_all in
      List.length
        (List.filter (String.equal word) (String.split_on_char ' ' text)))
    files

let () =
  let file = Filename.temp_file "words" ".txt" in
  Out_channel.with_open_bin file (fun out ->
      output_string out "to be or not to be");
  List.iter (Printf.printf "%d\n") (occurrences "be" [ file; file ]);
  Sys.remove file

(* As many commands at a time as there are, and at most 64. *)
let run_all commands =
  Drover.List.map
    (fun command -> Drover.blocking (fun () -> Sys.command command))
    commands

let () =
  let codes = run_all [ "exit 0"; "exit 3"; "sleep 0.01" ] in
  print_endline (String.concat " " (List.map string_of_int codes))
