(* Tables and maps: an array or a list of their bindings, and a loop over
   that. *)

let () =
  let table = Hashtbl.create 16 in
  let add word = Hashtbl.replace table word (String.length word) in
  List.iter add [ "one"; "three"; "four" ];
  let bindings = Array.of_seq (Hashtbl.to_seq table) in
  let letters = Drover.Array.reduce ~init:0 ~combine:( + ) snd bindings in
  Printf.printf "%d letters\n" letters

module Words = Map.Make (String)

let () =
  let numbers = Words.of_list [ ("one", 1); ("three", 3); ("four", 4) ] in
  let square (word, n) = (word, n * n) in
  let squares = Drover.List.map square (Words.bindings numbers) in
  Words.iter (Printf.printf "%s: %d\n") (Words.of_list squares)
