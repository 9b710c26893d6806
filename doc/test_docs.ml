(* Every block of OCaml code in the manual and in the README is, line by line, part of a program in
   the folder examples or of bench/programs, which the tests compile and run. No line of a block, of
   code or of output, is so long that a page would be scrolled sideways. *)

let read file = In_channel.with_open_bin file In_channel.input_all
let lines text = List.map String.trim (String.split_on_char '\n' text)

(* The lines between a line for which [opens] holds and the next that is [closing], each block with
   the number of its first line. Code in other languages has other openings. *)
let blocks ~opens ~closing text =
  let rec outside n acc = function
    | [] -> List.rev acc
    | line :: rest when opens line -> inside (n + 1) (n + 1) [] acc rest
    | _ :: rest -> outside (n + 1) acc rest
  and inside first n block acc = function
    | [] -> Alcotest.failf "line %d: the block has no end" first
    | line :: rest when line = closing -> outside (n + 1) ((first, List.rev block) :: acc) rest
    | line :: rest -> inside first (n + 1) (line :: block) acc rest
  in
  outside 1 [] (lines text)

let blocks_of file =
  if Filename.check_suffix file ".md" then
    blocks ~opens:(String.equal "```ocaml") ~closing:"```" (read file)
  else blocks ~opens:(String.equal "{[") ~closing:"]}" (read file)

let rec is_prefix block text =
  match (block, text) with
  | [], _ -> true
  | b :: block, t :: text -> b = t && is_prefix block text
  | _ :: _, [] -> false

let rec occurs block text =
  is_prefix block text || match text with [] -> false | _ :: text -> occurs block text

let names folder suffix =
  let all = Array.to_list (Sys.readdir folder) in
  List.sort compare (List.filter (fun f -> Filename.check_suffix f suffix) all)
  |> List.map (Filename.concat folder)

let examples =
  lazy
    (List.concat_map
       (fun folder -> names folder ".ml")
       [
         "../examples";
         "../examples/eio";
         "../examples/lwt";
         "../examples/mpi";
         "../examples/ppx";
         "../bench/programs";
       ]
    |> List.map (fun file -> lines (read file)))

let in_examples block = List.exists (occurs block) (Lazy.force examples)

let checks file =
  Alcotest.test_case (Filename.basename file) `Quick @@ fun () ->
  let unknown = List.filter (fun (_, block) -> not (in_examples block)) (blocks_of file) in
  Alcotest.(check (list int))
    "lines where code starts that is in no example" [] (List.map fst unknown)

let notices () =
  let text =
    "{[\n\
     let rec fib n =\n\
    \  if n < 20 then serial_fib n\n\
     ]}\n\
     {[\n\
     let rec fib n =\n\
    \  if n < 21 then serial_fib n\n\
     ]}\n"
  in
  let found = blocks ~opens:(String.equal "{[") ~closing:"]}" text in
  Alcotest.(check (list bool))
    "found" [ true; false ]
    (List.map (fun (_, block) -> in_examples block) found);
  Alcotest.(check (list int)) "first lines" [ 2; 6 ] (List.map fst found)

(* Also of what is shown as it is: commands and output. *)
let widest = 80

let long_lines file =
  let opens line =
    List.exists (fun o -> String.starts_with ~prefix:o line) [ "{["; "{@"; "{v"; "```" ]
  and closes line = List.mem line [ "]}"; "v}"; "```" ] in
  let step (n, inside, found) line =
    let trimmed = String.trim line in
    if inside && closes trimmed then (n + 1, false, found)
    else if (not inside) && opens trimmed then (n + 1, true, found)
    else (n + 1, inside, if inside && String.length line > widest then n :: found else found)
  in
  let _, _, found = List.fold_left step (1, false, []) (String.split_on_char '\n' (read file)) in
  List.rev found

let fits file =
  Alcotest.test_case (Filename.basename file) `Quick @@ fun () ->
  Alcotest.(check (list int)) "lines that are too long" [] (long_lines file)

let there_is_code () =
  let count file = List.length (blocks_of file) in
  Alcotest.(check bool) "README" true (count "../README.md" > 0);
  Alcotest.(check bool) "tutorial" true (count "tutorial.mld" > 0)

let pages = "../README.md" :: names "." ".mld"

let () =
  Alcotest.run "docs"
    [
      ("code is in the examples", List.map checks pages);
      ("lines fit", List.map fits pages);
      ( "checker",
        [
          Alcotest.test_case "notices a change" `Quick notices;
          Alcotest.test_case "finds code" `Quick there_is_code;
        ] );
    ]
