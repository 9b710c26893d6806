(* An index of the words of many texts: each rank indexes what it gets, and the tables are merged in
   order. Arguments are files; without them, there are a thousand small texts. *)

module Words = Map.Make (String)

type text = File of string | Text of string

let contents = function
  | File name -> In_channel.with_open_bin name In_channel.input_all
  | Text text -> text

let is_letter = function 'a' .. 'z' -> true | _ -> false

let words text =
  let letters =
    String.map
      (fun c -> if is_letter c then c else ' ')
      (String.lowercase_ascii text)
  in
  List.filter (( <> ) "") (String.split_on_char ' ' letters)

(* In which texts a word is. *)
let index (number, text) =
  let add index word = Words.add word [ number ] index in
  List.fold_left add Words.empty (words (contents text))

let merge = Words.union (fun _ earlier later -> Some (earlier @ later))

let index_all texts =
  let numbered = Array.mapi (fun number text -> (number, text)) texts in
  Drover_mpi.reduce ~init:Words.empty ~combine:merge index numbered

let texts =
  if Array.length Sys.argv > 1 then
    Array.map
      (fun name -> File name)
      (Array.sub Sys.argv 1 (Array.length Sys.argv - 1))
  else
    let animals = [| "camel"; "horse"; "goat" |] in
    Array.init 1000 (fun i ->
        Text (Printf.sprintf "the %s went by" animals.(i mod 3)))

let () =
  Drover_mpi.run @@ fun () ->
  let index = index_all texts in
  let most word files (word', files') =
    if List.length files > List.length files' then (word, files)
    else (word', files')
  in
  let word, files = Words.fold most index ("", []) in
  Printf.printf "%d words; \"%s\" is in %d texts\n" (Words.cardinal index)
    word (List.length files)
