(* The manual and the README name the file that their code is from: the next link to a file of the
   folder examples or of bench/programs, after a block of OCaml and before the next heading, is to a
   program that the block is a part of, line by line. The tests compile and run these programs. No
   line of a block, of code or of output, is so long that a page would be scrolled sideways. *)

open Pages

let rec occurs block text =
  is_prefix block text || match text with [] -> false | _ :: text -> occurs block text

let is_part_of file block = Sys.file_exists file && occurs block (lines (read file))

(* The first lines of the blocks that are not from the file that is named after them. *)
let without_source parts =
  let step part (next, found) =
    match part with
    | Heading -> (None, found)
    | Needs _ -> (next, found)
    | Source file -> (Some file, found)
    | Code (_, block) when Option.fold ~none:false ~some:(fun f -> is_part_of f block) next ->
        (next, found)
    | Code (first, _) -> (next, first :: found)
  in
  snd (List.fold_right step parts (None, []))

let names_sources file =
  Alcotest.test_case (Filename.basename file) `Quick @@ fun () ->
  let parts = parts_of file in
  let missing = function
    | Source file when not (Sys.file_exists file) -> Some file
    | Source _ | Heading | Code _ | Needs _ -> None
  in
  Alcotest.(check (list string)) "links to no file" [] (List.filter_map missing parts);
  Alcotest.(check (list int))
    "lines where code starts that is not in the file named after it" [] (without_source parts)

let notices () =
  let notices what expected text =
    let manual = syntax_of "page.mld" in
    Alcotest.(check (list int)) what expected (without_source (parts manual text))
  in
  let fib = "{[\nlet rec fib n =\n  if n < 20 then serial_fib n\n]}\n" in
  let changed = "{[\nlet rec fib n =\n  if n < 21 then serial_fib n\n]}\n" in
  let from name = Printf.sprintf "{e From {{:../examples/%s.ml}examples/%s.ml}.}\n" name name in
  notices "nothing" [] (fib ^ from "fib");
  notices "nothing: one source for two blocks" [] (fib ^ "and\n" ^ fib ^ from "fib");
  notices "changed code" [ 2 ] (changed ^ from "fib");
  notices "the other file" [ 2 ] (fib ^ from "dot" ^ from "fib");
  notices "no such file" [ 2 ] (fib ^ from "nothing");
  notices "no source" [ 3 ] (from "fib" ^ fib);
  notices "a source in the next section" [ 2 ] (fib ^ "{1 Next}\n" ^ from "fib")

(* Also of what is shown as it is: commands and output. *)
let widest = 80

let long_lines file =
  let step (n, inside, found) line =
    let trimmed = String.trim line in
    if inside && closes_block trimmed then (n + 1, false, found)
    else if (not inside) && opens_block trimmed then (n + 1, true, found)
    else (n + 1, inside, if inside && String.length line > widest then n :: found else found)
  in
  let _, _, found = List.fold_left step (1, false, []) (String.split_on_char '\n' (read file)) in
  List.rev found

let fits file =
  Alcotest.test_case (Filename.basename file) `Quick @@ fun () ->
  Alcotest.(check (list int)) "lines that are too long" [] (long_lines file)

let there_is_code () =
  let has_code file = List.exists (function Code _ -> true | _ -> false) (parts_of file) in
  Alcotest.(check bool) "README" true (has_code readme);
  Alcotest.(check bool) "tutorial" true (has_code "tutorial.mld")

let pages = readme :: manual

let () =
  Alcotest.run "docs"
    [
      ("code has its source", List.map names_sources pages);
      ("lines fit", List.map fits pages);
      ( "checker",
        [
          Alcotest.test_case "notices faults" `Quick notices;
          Alcotest.test_case "finds code" `Quick there_is_code;
        ] );
    ]
