(* Lines of files. *)

open Test_support

let places = List.hd Place.all :: List.map Place.task [ 1; 2; 4; 8 ]
let each_place f = List.iter (fun (place : Place.t) -> place.call f) places
let write path text = Out_channel.with_open_bin path (fun out -> output_string out text)

let with_file text f =
  Folder.temporary (fun folder ->
      let path = Filename.concat folder "lines" in
      write path text;
      f path)

let lines ?ending path =
  let merge left right = right @ left in
  let step lines line = line :: lines in
  List.rev (Drover.Text.fold_lines_of_file ?ending ~make:(fun () -> []) ~merge step path)

let count step path =
  let step n line =
    step line;
    n + 1
  in
  Drover.Text.fold_lines_of_file ~make:(fun () -> 0) ~merge:( + ) step path

let lines_of ending text =
  match List.rev (String.split_on_char ending text) with
  | "" :: earlier -> List.rev earlier
  | all -> List.rev all

let numbered n = String.concat "" (List.init n (Printf.sprintf "line %d\n"))
let long = String.make 300_000 'x' (* longer than a piece *)

(* Lines of all lengths. *)
let random seed =
  let rng = Random.State.make [| seed |] in
  let line _ = String.make (Random.State.int rng (1 lsl Random.State.int rng 17)) 'x' in
  String.concat "\n" (List.init 300 line)

let texts =
  [
    ("", "empty");
    ("\n", "an empty line");
    ("a", "a line without end");
    (numbered 100_000, "many lines");
    (numbered 100_000 ^ "a", "many, and the last without end");
    (String.make 1_000_000 '\n', "empty lines");
    (long, "a long line without end");
    (long ^ "\n", "a long line");
    (String.concat "\n" [ numbered 50_000; long; "a"; long; numbered 10 ], "long lines among others");
    (String.make 65_535 'x' ^ "\n" ^ String.make 65_535 'y' ^ "\nz", "ends where windows end");
    (String.concat "\r\n" (List.init 100_000 string_of_int), "carriage returns");
  ]
  @ List.init 5 (fun seed -> (random seed, Printf.sprintf "random, seed %d" seed))

(* Not [check (list string)], which would print them. *)
let expect name expected got =
  if expected <> got then
    Alcotest.failf "%s: %d lines, not the %d expected" name (List.length got) (List.length expected)

let all_lines () =
  let check (text, name) =
    with_file text (fun path ->
        each_place (fun () -> expect name (lines_of '\n' text) (lines path)))
  in
  List.iter check texts

let other_endings () =
  let text = String.map (function '\n' -> '\000' | c -> c) (numbered 50_000) in
  with_file text (fun path ->
      each_place (fun () -> expect "records" (lines_of '\000' text) (lines ~ending:'\000' path)))

(* The first step changes the file. *)
let once f =
  let is_first = Atomic.make true in
  fun _ -> if Atomic.exchange is_first false then f ()

let shrinks () =
  let text = numbered 200_000 in
  each_place (fun () ->
      with_file text (fun path ->
          let n = count (once (fun () -> Unix.truncate path 1_000_000)) path in
          let left = List.length (lines_of '\n' (String.sub text 0 1_000_000)) in
          if n < left || n > 200_000 then Alcotest.failf "%d lines, where %d are left" n left))

let replaced () =
  each_place (fun () ->
      with_file (numbered 200_000) (fun path ->
          let replace () =
            write (path ^ ".new") "new\n";
            Sys.rename (path ^ ".new") path
          in
          Alcotest.(check int) "all of the old" 200_000 (count (once replace) path)))

let pipe () =
  let text = numbered 50_000 in
  each_place (fun () ->
      Folder.temporary (fun folder ->
          let path = Filename.concat folder "pipe" in
          Unix.mkfifo path 0o600;
          let writer = Thread.create (fun () -> write path text) () in
          let got = lines path in
          Thread.join writer;
          expect "pipe" (lines_of '\n' text) got))

let missing () =
  let check path =
    match lines path with
    | (_ : string list) -> Alcotest.failf "%s was read" path
    | exception Sys_error message ->
        if not (String.starts_with ~prefix:(path ^ ": ") message) then Alcotest.fail message
  in
  each_place (fun () ->
      Folder.temporary (fun folder ->
          check (Filename.concat folder "none");
          check folder))

(* That are open: on Linux. *)
let descriptors () = try Array.length (Sys.readdir "/proc/self/fd") with Sys_error _ -> 0

let leaves_no_descriptor round () =
  with_file (numbered 200_000) (fun path ->
      each_place (fun () -> Leak.check "descriptors" ~limit:2 descriptors (fun () -> round path)))

let raises path =
  let step line = if line = "line 100000" then Failing.raise_here 5 in
  Failing.check 5 (fun () -> count step path)

let cancelled path =
  let steps = Atomic.make 0 in
  (match
     Drover.Scope.run (fun scope ->
         let step line =
           Atomic.incr steps;
           if line = "line 100" then Drover.Scope.cancel scope Exit
         in
         count step path)
   with
  | n -> Alcotest.failf "%d lines in spite of the cancellation" n
  | exception Exit -> ());
  if Atomic.get steps = 200_000 then Alcotest.fail "all lines in spite of the cancellation"

(* A step that waits keeps neither its worker nor a reader. *)
let waits () =
  each_place (fun () ->
      with_file (numbered 200_000) (fun path ->
          let step line =
            if String.ends_with ~suffix:"0000" line then Drover.await (Drover.async ignore)
          in
          Alcotest.(check int) "lines" 200_000 (count step path)))

(* Half of the file would be more. *)
let constant_memory () =
  let size = 32_000_000 in
  let text = String.concat "" (List.init (size / 100) (fun _ -> String.make 99 'x' ^ "\n")) in
  with_file text (fun path ->
      let words () = (Gc.quick_stat ()).heap_words in
      let sample most _ = Int.max most (words ()) in
      let check domains =
        Gc.compact ();
        let before = words () in
        let most =
          Drover.run ~domains (fun () ->
              Drover.Text.fold_lines_of_file ~make:words ~merge:Int.max sample path)
        in
        if most - before > size / 16 then
          Alcotest.failf "%d words more for a file of %d" (most - before) size
      in
      List.iter check [ 1; 2 ])

let () =
  Alcotest.run "text"
    [
      ( "lines of a file",
        [
          Watchdog.case ~seconds:300. "texts" all_lines;
          Watchdog.case "other endings" other_endings;
          Watchdog.case "a file that becomes shorter" shrinks;
          Watchdog.case "a file that is replaced" replaced;
          Watchdog.case "a pipe" pipe;
          Watchdog.case "what cannot be read" missing;
          Watchdog.case "a step that raises" (leaves_no_descriptor raises);
          Watchdog.case "a step that cancels" (leaves_no_descriptor cancelled);
          Watchdog.case "steps that wait" waits;
          Watchdog.case "constant memory" constant_memory;
        ] );
    ]
