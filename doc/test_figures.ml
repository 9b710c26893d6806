(* What was measured stands between the marks that the bench fills, or in a block that quotes what a
   command has printed: a time or a ratio in the prose of README and manual would grow old. The page
   on the design may tell of experiments. *)

open Pages

let html line = [ line; "{%html:" ^ line ^ "%}" ]
let opens_figures = html "<!-- figures -->"
let ends_figures = html "<!-- end of figures -->"

(* The lines of prose, with their numbers. *)
let prose text =
  let step (state, n, kept) line =
    let line = String.trim line in
    let state, kept =
      match state with
      | `Figures -> ((if List.mem line ends_figures then `Prose else `Figures), kept)
      | `Block -> ((if closes_block line then `Prose else `Block), kept)
      | `Prose when List.mem line opens_figures -> (`Figures, kept)
      | `Prose when opens_block line -> (`Block, kept)
      | `Prose when String.starts_with ~prefix:"{%html:" line -> (`Prose, kept)
      | `Prose -> (`Prose, (n, line) :: kept)
    in
    (state, n + 1, kept)
  in
  let _, _, kept = List.fold_left step (`Prose, 1, []) (String.split_on_char '\n' text) in
  List.rev kept

let measured =
  Str.regexp
    (String.concat "\\|"
       [
         "\\b[0-9][0-9.,]* ?\\(ns\\|us\\|µs\\|ms\\|x\\|\\(nano\\|micro\\|milli\\)seconds?\\)\\b";
         "\\(about a\\|tens of\\) \\(nano\\|micro\\|milli\\)second";
         "[0-9]% \\(faster\\|slower\\|of the time\\)";
         "\\b[0-9][0-9.,]* times \\(as\\|faster\\|slower\\)";
         "\\b[0-9]+\\.[0-9]+ times\\b";
       ])

(* What the library does, not what was measured: limits in its code, advice, and examples. *)
let said =
  [
    ("eio.mld", "a computation of 100 ms");
    ("lwt.mld", "a computation of 100 ms");
    ("loops.mld", "from 100 µs on,");
    ("loops.mld", "from 50 µs on,");
    ("loops.mld", "some 500 µs, or not be parallel");
    ("loops.mld", "sleeps after 4 ms");
    ("mpi.mld", "up to 50 ms late");
    ("mpi.mld", "at most 0.1 ms");
    ("shared.mld", "If [s'] is 0.3 µs");
    ("tools.mld", "less than 25 ns");
    ("tools.mld", "{e 8 ns at most}");
    ("tools.mld", "forked less than 500 ns");
  ]

let is_said file line =
  let occurs part =
    match Str.search_forward (Str.regexp_string part) line 0 with
    | _ -> true
    | exception Not_found -> false
  in
  List.exists (fun (page, part) -> page = file && occurs part) said

let is_measured (_, line) =
  match Str.search_forward measured line 0 with _ -> true | exception Not_found -> false

let no_figures file =
  Alcotest.test_case (Filename.basename file) `Quick @@ fun () ->
  let found = List.filter is_measured (prose (read file)) in
  let found = List.filter (fun (_, line) -> not (is_said (Filename.basename file) line)) found in
  let show (n, line) = Printf.sprintf "%d: %s" n line in
  Alcotest.(check (list string)) "figures in prose" [] (List.map show found)

let notices () =
  let page =
    "It is 1.7x as fast.\n\
     {v\n\
    \ 3 ms\n\
     v}\n\
     {%html:<!-- figures -->%}\n\
     2 ns\n\
     {%html:<!-- end of figures -->%}\n\
     A call takes 20 ns.\n\
     On 2 cores.\n"
  in
  Alcotest.(check (list int)) "lines" [ 1; 8 ] (List.map fst (List.filter is_measured (prose page)))

(* A page quotes what a command has printed, as it stands in the folder of figures. *)

let recorded = Str.regexp "{%html:<!-- recorded: \\([a-z]+\\) -->%}\n{v\n"

let quotes file =
  let text = read file in
  let rec from position found =
    match Str.search_forward recorded text position with
    | exception Not_found -> List.rev found
    | _ ->
        let name = Str.matched_group 1 text and start = Str.match_end () in
        let stop = Str.search_forward (Str.regexp "^v}$") text start in
        from stop ((name, String.sub text start (stop - start)) :: found)
  in
  from 0 []

let quoted file =
  Alcotest.test_case (Filename.basename file) `Quick @@ fun () ->
  let check (name, block) =
    Alcotest.(check string) name (read ("../bench/figures/" ^ name ^ ".txt")) block
  in
  List.iter check (quotes file)

let all_quoted pages () =
  let names = List.sort compare (List.map fst (List.concat_map quotes pages)) in
  let is_text f = Filename.check_suffix f ".txt" in
  let files = List.filter is_text (Array.to_list (Sys.readdir "../bench/figures")) in
  Alcotest.(check (list string))
    "each is quoted once"
    (List.sort compare (List.map Filename.remove_extension files))
    names

let () =
  let manual = List.filter (( <> ) "design.mld") manual in
  Alcotest.run "figures in words"
    [
      ("no figure in prose", List.map no_figures (readme :: manual));
      ("what commands printed", List.map quoted manual);
      ( "checker",
        [
          Alcotest.test_case "notices figures" `Quick notices;
          Alcotest.test_case "all are quoted" `Quick (all_quoted manual);
        ] );
    ]
