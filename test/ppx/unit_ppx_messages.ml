(* What is wrong is reported where the user has written it. The arguments are the rewriter, and compiled
   interfaces of what the expansions name; the command is the compiler. *)

let rewriter = Sys.argv.(1)
let folders = List.map Filename.dirname [ Sys.argv.(2); Sys.argv.(3) ]

(* [text] as a file, compiled. *)
let compile text =
  Folder.with_tree [ ("it.ml", text) ] @@ fun root ->
  let includes = List.concat_map (fun folder -> [ "-I"; folder ]) folders in
  let file = Filename.concat root "it.ml" in
  Command.call
    ([ "-c"; "-strict-sequence"; "-ppx"; Filename.quote rewriter ^ " --as-ppx" ]
    @ includes @ [ file ])

(* The place of [part] in [text], as the compiler writes it. *)
let place text part =
  let at = Str.search_forward (Str.regexp_string part) text 0 in
  let before = String.split_on_char '\n' (String.sub text 0 at) in
  let column = String.length (List.nth before (List.length before - 1)) in
  Printf.sprintf "line %d, characters %d-%d:" (List.length before) column
    (column + String.length part)

(* A program that is wrong at its last [at]. *)
let reports name text ~at saying =
  Alcotest.test_case name `Quick @@ fun () ->
  let code, _, err = compile text in
  Alcotest.(check int) "exit code" 2 code;
  List.iter (Command.check_contains err) (place text at :: saying)

let accepts name text =
  Alcotest.test_case name `Quick @@ fun () ->
  let code, _, err = compile text in
  Alcotest.(check string) "messages" "" err;
  Alcotest.(check int) "exit code" 0 code

let refused =
  [
    reports "downto" "let f g =\n  for%par i = 9 downto 0 do g i done"
      ~at:"for%par i = 9 downto 0 do g i done"
      [ "for%par has no downto"; "smaller bound first" ];
    reports "downto of a reduction" "let s = 1. +. [%sum for i = 9 downto 0 do 1. done]"
      ~at:"for i = 9 downto 0 do 1. done" [ "for%sum has no downto" ];
    reports "one binding" "let f x =\n  let%par y = x in y" ~at:"let%par y = x in y"
      [ "nothing to run beside a single binding" ];
    reports "rec" "let f x =\n  let%par rec y = x and z = x in y"
      ~at:"let%par rec y = x and z = x in y" [ "let%par cannot be recursive" ];
    reports "no loop" "let f x = [%sum x + 1]" ~at:"x + 1" [ "for%sum is for a loop" ];
    reports "no loop, no let" "let f x = if%par x then 1 else 2" ~at:"if%par x then 1 else 2"
      [ "for%par is for a loop" ];
    reports "no operator" "let f x = for%reduce[@identity 0] i = 1 to 2 do i done"
      ~at:"for%reduce[@identity 0] i = 1 to 2 do i done"
      [ "needs an operator and its identity" ];
  ]

let mistyped =
  [
    reports "a bound" "let f () = for%par i = 0 to \"9\" do () done" ~at:"\"9\"" [ "int" ];
    reports "the first bound" "let f x = for%par i = x ^ x to 9 do () done" ~at:"x ^ x" [ "int" ];
    reports "a body" "let f () = for%par i = 0 to 9 do i + 1 done" ~at:"i + 1" [ "int"; "unit" ];
    reports "within a body" "let f x =\n  for%par i = 0 to 9 do x.(i) <- x.(i) +. \"a\" done"
      ~at:"\"a\"" [ "string"; "float" ];
    reports "a value" "let f x = for%sum i = 0 to 9 do ignore x; i * 2 done" ~at:"i * 2" [ "float" ];
    reports "an int" "let f x = for%sum_int i = 0 to 9 do 2. done" ~at:"2." [ "int" ];
    reports "a grain" "let f () = for%par[@grain \"1\"] i = 0 to 9 do () done" ~at:"\"1\"" [ "int" ];
    reports "an identity"
      "let f () = for%reduce[@combine ( +. )] [@identity \"0\"] i = 0 to 9 do 1. done" ~at:"( +. )"
      [ "string"; "float" ];
    reports "a variable that is none"
      "let f () =\n  for%par i = 0 to 9 do\n    print_int missing\n  done" ~at:"missing"
      [ "Unbound value" ];
    reports "an index that is no variable" "let f () = for%par (i, j) = 0 to 9 do () done"
      ~at:"(i, j)" [ "for" ];
    reports "a pattern" "let f () =\n  let%par (a : int) = \"a\" and b = 2 in a + b" ~at:"\"a\""
      [ "string"; "int" ];
    reports "a type" "let f () =\n  let%par a : int = \"a\" and b = 2 in a + b" ~at:"\"a\""
      [ "string"; "int" ];
    reports "in the second of two" "let f () =\n  let%par a = 1 and b = 2 + \"b\" in a + b"
      ~at:"\"b\"" [ "string"; "int" ];
  ]

let sound =
  [
    accepts "all forms"
      "let f (x : float array) =\n\
      \  for%par[@grain 10] i = 0 to 9 do x.(i) <- 1. done;\n\
      \  let%par s = for%sum i = 0 to 9 do x.(i) done\n\
      \  and p = for%reduce[@combine ( *. )] [@identity 1.] i = 0 to 9 do x.(i) done in\n\
      \  s +. p";
    accepts "with the long names"
      "let f x = for%drover.sum[@drover.grain 10] i = 0 to 9 do x.(i) done";
    accepts "a type that tells fields"
      "module M = struct type t = { a : int; b : int } end\n\
       let f () =\n\
      \  let%par m : M.t = { a = 1; b = 2 } and n : int = 3 in\n\
      \  m.a + m.b + n";
    accepts "polymorphic types"
      "let f () =\n\
      \  let%par g : 'a. 'a option = None and h : type a. a option = None in\n\
      \  (g : int option), (g : string option), (h : int option)";
    accepts "variables that the loop cannot see"
      "let f x = for%par i = 0 to 9 do ignore ((x [@inlined never]) i); ignore String.(length \
       empty) done";
  ]

(* What editors rely on: each expression lies within that around it. *)
let places_are_nested () =
  let text =
    "let f x =\n\
    \  for%par[@grain 2] i = 0 to 9 do x.(i) <- 1. done;\n\
    \  let%par a = for%sum i = 0 to 9 do x.(i) done and b = 2. and (c, d) : float * float = (3., \
     x.(4)) in\n\
    \  a +. b +. c +. d\n"
  in
  Folder.with_tree [ ("it.ml", text) ] @@ fun root ->
  let file = Filename.concat root "it.ml" in
  let command = Filename.quote_command rewriter [ "-locations-check"; file; "-o"; "/dev/null" ] in
  Alcotest.(check int) "exit code" 0 (Sys.command command)

(* [text] as the rewriter gives it to a tool. *)
let rewritten tool_name text =
  Folder.temporary @@ fun root ->
  let input = Filename.concat root "input" and output = Filename.concat root "output" in
  let parsed = Parse.implementation (Lexing.from_string text) in
  Pparse.write_ast Structure input (Ast_mapper.add_ppx_context_str ~tool_name parsed);
  let code = Sys.command (Filename.quote_command rewriter [ "--as-ppx"; input; output ]) in
  Alcotest.(check int) "exit code" 0 code;
  Pprintast.string_of_structure (Pparse.read_ast Structure output)

(* A compiler sees copies of variables, an editor only those that are in the text. *)
let definitions_are_found () =
  let copies tool =
    let text = rewritten tool "let f x = for%par i = 0 to 9 do x.(i) <- 1. done" in
    Command.contains text "let x = "
  in
  Alcotest.(check (list bool)) "copies" [ true; false ] [ copies "ocamlopt"; copies "merlin" ]

(* Within a class, too, but for what may belong to its objects. *)
let copies_in_classes () =
  let copied from =
    let text =
      rewritten "ocamlopt"
        (Printf.sprintf
           "class c a = object (self) %s val y = [|1.|] method m x = for%%par i = 0 to 9 do x.(i) \
            <- a *. y.(i) *. self#z done end"
           from)
    in
    List.filter
      (fun name -> Command.contains text (Printf.sprintf "let %s = " name))
      [ "a"; "x"; "y"; "self" ]
  in
  Alcotest.(check (list string)) "of a class" [ "a"; "x" ] (copied "");
  Alcotest.(check (list string)) "of one that inherits" [] (copied "inherit base")

let () =
  Alcotest.run
    ~argv:[| Sys.argv.(0) |]
    "ppx messages"
    [
      ("refused", refused);
      ("types", mistyped);
      ("sound", sound);
      ( "editors",
        [
          Alcotest.test_case "places are nested" `Quick places_are_nested;
          Alcotest.test_case "definitions are found" `Quick definitions_are_found;
        ] );
      ("copies", [ Alcotest.test_case "in classes" `Quick copies_in_classes ]);
    ]
