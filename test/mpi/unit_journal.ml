(* The journal, as a file that is torn, damaged, or somebody else's. *)

open Test_support

let with_file f =
  let file = Filename.temp_file "drover" ".journal" in
  Fun.protect ~finally:(fun () -> Sys.remove file) (fun () -> f file)

let input = Digest.string "input"

(* What a journal has. *)
let read ?(program = "program") ?(input = input) file =
  let found = ref [] in
  let keep item bytes = found := (item, Bytes.to_string bytes) :: !found in
  let journal = Journal.open_ file ~program ~input keep in
  (journal, List.rev !found)

let write file records =
  let journal, _ = read file in
  List.iter (fun (item, text) -> Journal.add journal item (Bytes.of_string text)) records;
  Journal.close journal

let records = Alcotest.(list (pair int string))

let check_has file expected =
  let journal, found = read file in
  Journal.close journal;
  Alcotest.check records "records" expected found

let three = [ (7, "seven"); (0, ""); (3, String.make 100_000 'x') ]

let keeps file =
  write file three;
  check_has file three;
  write file [ (1, "one") ];
  check_has file (three @ [ (1, "one") ])

let length file = (Unix.stat file).st_size

(* At every length that a torn write may leave. *)
let torn file =
  write file [ (1, "one"); (2, "two") ];
  let whole = length file and text = In_channel.with_open_bin file In_channel.input_all in
  let of_length n =
    Out_channel.with_open_bin file (fun oc -> output_string oc (String.sub text 0 n));
    let journal, found = read file in
    Journal.add journal 9 (Bytes.of_string "nine");
    Journal.close journal;
    let record = Journal.prefix_length + 3 in
    let whole_records = Int.max 0 (n - Journal.header_length) / record in
    let expected = List.filteri (fun i _ -> i < whole_records) [ (1, "one"); (2, "two") ] in
    Alcotest.check records (Printf.sprintf "at %d bytes" n) expected found;
    check_has file (expected @ [ (9, "nine") ])
  in
  for n = 0 to whole do
    of_length n
  done

let damaged file =
  write file [ (1, "one"); (2, "two"); (3, "three") ];
  let descriptor = Unix.openfile file [ Unix.O_RDWR ] 0 in
  let second = Journal.header_length + Journal.prefix_length + 3 in
  ignore (Unix.lseek descriptor (second + Journal.prefix_length) Unix.SEEK_SET : int);
  ignore (Unix.write_substring descriptor "T" 0 1 : int);
  Unix.close descriptor;
  check_has file [ (1, "one") ]

let refuses why f =
  match f () with
  | (journal : Journal.t), _ ->
      Journal.close journal;
      Alcotest.failf "a journal that %s was taken" why
  | exception Failure message ->
      let ends = String.ends_with ~suffix:why message in
      if not ends then Alcotest.failf "%s, rather than: %s" message why

let others file =
  write file three;
  refuses "is of another program: remove it to begin anew" (fun () -> read ~program:"other" file);
  refuses "is of another input: remove it to begin anew" (fun () ->
      read ~input:(Digest.string "other") file);
  check_has file three

let no_journal file =
  let text = String.make 1000 'x' in
  Out_channel.with_open_bin file (fun oc -> output_string oc text);
  refuses "is no journal: it stays as it is" (fun () -> read file);
  Out_channel.with_open_bin file (fun oc -> output_string oc "my notes");
  refuses "is no journal of this program and input: it stays as it is" (fun () -> read file);
  Alcotest.(check int) "as it was" 8 (length file)

let () =
  let case name f = Watchdog.case name (fun () -> with_file f) in
  Alcotest.run "journal"
    [
      ( "journal",
        [
          case "keeps what it was given" keeps;
          case "drops a torn record" torn;
          case "ends at a damaged record" damaged;
          case "of others is refused" others;
          case "what is none is refused, and stays" no_journal;
        ] );
    ]
