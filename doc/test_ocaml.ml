(* Messages of OCaml's own, of its compiler and at run time, that the page messages.mld explains: they are what it says,
   and it has them. The environment names the compiler, and the compiled interface of Drover. *)

let contains part text =
  match Str.search_forward (Str.regexp_string part) text 0 with
  | _ -> true
  | exception Not_found -> false

(* One space for each stretch of white space; the page's markup of code is left out. *)
let plain text =
  let spaced = String.map (function '\n' | '[' | ']' -> ' ' | c -> c) text in
  String.concat " " (List.filter (( <> ) "") (String.split_on_char ' ' spaced))

let read file = In_channel.with_open_bin file In_channel.input_all
let page = plain (read "messages.mld")

let is_on_page message =
  Alcotest.(check bool) ("on the page: " ^ message) true (contains message page)

let case name test = Alcotest.test_case name `Quick test

(* What the compiler says of a program. *)
let compiled program =
  let folder = Filename.temp_dir "misuse" "" in
  let file name = Filename.concat folder name in
  Out_channel.with_open_bin (file "misuse.ml") (fun oc -> output_string oc program);
  let command =
    Filename.quote_command (Sys.getenv "OCAMLC") ~stderr:(file "said")
      [
        "-color"; "never"; "-I"; Filename.dirname (Sys.getenv "DROVER_CMI"); "-c"; file "misuse.ml";
      ]
  in
  let code = Sys.command command in
  let said = plain (read (file "said")) in
  Array.iter (fun name -> Sys.remove (file name)) (Sys.readdir folder);
  Sys.rmdir folder;
  (code, said)

let refused name program message =
  case name @@ fun () ->
  let code, said = compiled program in
  Alcotest.(check int) said 2 code;
  Alcotest.(check bool) said true (contains (plain message) said);
  is_on_page (plain message)

let compiles name program =
  case name (fun () -> Alcotest.(check (pair int string)) "compiles" (0, "") (compiled program))

(* The module of that name has all that the standard library's has, of the same types; but in that some
   differ, and others are missing. *)
let takes_nothing_away (name, differing, missing) =
  compiles name
    (Printf.sprintf
       "open Drover\n\
        module _ : module type of struct include Stdlib.%s %s end = struct include %s %s end"
       name differing name missing)

let with_label label =
  Printf.sprintf
    "let t = Drover.parallel_fold ~start:0 ~finish:9 ~%s:(Hashtbl.create 10)\n\
     ~merge:(fun a _ -> a) (fun t i -> Hashtbl.replace t i i; t)"
    label

let raised name f expected message =
  case name @@ fun () ->
  Alcotest.check_raises name expected f;
  is_on_page message

let past_the_end () =
  let a = Array.make 10 0 in
  Drover.parallel_for ~start:0 ~finish:(Array.length a) (fun i -> a.(i) <- i)

let fork () =
  Drover.run ~domains:2 ignore;
  if Unix.fork () = 0 then Unix._exit 0

let () =
  let fork_refused = "Unix.fork may not be called after any domain has been spawned" in
  Alcotest.run "messages of OCaml's own"
    [
      ( "compiler",
        [
          refused "init for make" (with_label "init") "has type init:'a -> 'b";
          refused "a value for make" (with_label "make")
            "Hint: Did you forget to wrap the expression using fun () ->?";
          refused "no labels" "let _ = Drover.parallel_reduce ~start:0 ~finish:9 0 ( + ) Fun.id"
            "The constant 0 has type int but an expression was expected of type int -> 'a -> 'b -> \
             'c";
          refused "one label missing"
            "let n = Drover.parallel_reduce ~start:0 ~finish:9 ~init:0 ( + ) Fun.id\n\
             let () = print_int n"
            "The constant 0 has type int but an expression was expected of type 'a -> 'b";
          refused "open Drover, shuffle"
            "open Drover\nlet () = Array.shuffle ~rand:Random.int [| 1 |]"
            "This argument cannot be applied with label ~rand";
          refused "open Drover, lazy" "open Drover\nlet l = lazy 1\nlet n = Lazy.force l"
            "The value l has type int lazy_t but an expression was expected of type 'a \
             Drover.Lazy.t";
          compiles "open Drover.Parallel"
            "open Drover.Parallel\n\
             let a, b = both (fun () -> List.assoc 1 [ (1, 2) ]) (fun () -> Lazy.force (lazy 1))";
        ] );
      ( "open Drover takes nothing away",
        List.map takes_nothing_away
          [
            (* Ours takes a seed. [Floatarray] is for the standard library's own use. *)
            ( "Array",
              "let shuffle = Drover.Array.shuffle\n\
               let make = make and create_float = create_float (* no primitives *)",
              "module Floatarray = Stdlib.Array.Floatarray" );
            ("List", "", "");
            (* Ours takes [~ahead], which may be left out. *)
            ("Seq", "", "let map f s = map f s let iter f s = iter f s");
          ]
        @ [
            compiles "Mutex"
              "open Drover\nlet _ = Mutex.(create (), lock, try_lock, unlock, protect)";
            compiles "Condition" "open Drover\nlet _ = Condition.(create, wait, signal, broadcast)";
            compiles "Semaphore"
              "open Drover\n\
               let _ = Semaphore.Counting.(make 1, release, acquire, try_acquire, get_value)\n\
               let _ = Semaphore.Binary.(make true, release, acquire, try_acquire)";
            (* All but the exception [Undefined], which nothing raises. *)
            compiles "Lazy"
              "open Drover\n\
               let _ = Lazy.(from_fun, from_val, force, force_val, is_val, map, map_val)";
          ] );
      ( "run time",
        [
          raised "inclusive finish" past_the_end (Invalid_argument "index out of bounds")
            "index out of bounds";
          raised "Unix.fork" fork (Failure fork_refused) fork_refused;
        ] );
    ]
