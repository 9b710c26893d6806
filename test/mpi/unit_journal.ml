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

let read_all file =
  let journal, found = read file in
  Journal.close journal;
  found

let check_has file expected = Alcotest.check records "records" expected (read_all file)
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

let flip file at =
  let descriptor = Unix.openfile file [ Unix.O_RDWR ] 0 in
  let byte = Bytes.create 1 in
  let go () = ignore (Unix.lseek descriptor at Unix.SEEK_SET : int) in
  go ();
  ignore (Unix.read descriptor byte 0 1 : int);
  Bytes.set_uint8 byte 0 (Bytes.get_uint8 byte 0 lxor 0x10);
  go ();
  ignore (Unix.write descriptor byte 0 1 : int);
  Unix.close descriptor

(* Every byte, one at a time: the other records are there, and so is what is added behind. *)
let damaged file =
  let numbers = [ (1, "one"); (2, "two"); (3, "six") ] in
  write file numbers;
  let text = In_channel.with_open_bin file In_channel.input_all in
  let record = Journal.prefix_length + 3 in
  for at = 0 to String.length text - 1 do
    Out_channel.with_open_bin file (fun oc -> output_string oc text);
    flip file at;
    let lost = if at < Journal.header_length then -1 else (at - Journal.header_length) / record in
    let others = List.filteri (fun i _ -> i <> lost) numbers in
    write file [ (9, "nine") ];
    Alcotest.check records (Printf.sprintf "at %d" at) (others @ [ (9, "nine") ]) (read_all file)
  done

(* As after the end of a machine. *)
let zeros file =
  write file three;
  Out_channel.with_open_gen [ Open_append; Open_binary ] 0 file (fun oc ->
      output_string oc (String.make 4096 '\000'));
  write file [ (1, "one") ];
  let length_before = length file in
  check_has file (three @ [ (1, "one") ]);
  Alcotest.(check int) "nothing is removed" length_before (length file)

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
  Alcotest.(check int) "as it was" 8 (length file);
  Out_channel.with_open_bin file (fun oc -> output_string oc ("drover-mpi journal 1\n" ^ text));
  refuses "is of another version of Drover: remove it to begin anew" (fun () -> read file)

let one_owner file =
  let journal, _ = read file in
  refuses "is in use by another map of this program" (fun () -> read file);
  let link = file ^ ".link" in
  Unix.symlink file link;
  Fun.protect
    ~finally:(fun () -> Sys.remove link)
    (fun () -> refuses "is in use by another map of this program" (fun () -> read link));
  Journal.add journal 1 (Bytes.of_string "one");
  Journal.close journal;
  check_has file [ (1, "one") ];
  Alcotest.(check bool) "nothing is left beside" false (Sys.file_exists (file ^ ".lock"))

let of_the_dead file =
  Out_channel.with_open_bin (file ^ ".lock") ignore;
  write file three;
  check_has file three

let named _ =
  let check file =
    match read file with
    | (journal : Journal.t), _ ->
        Journal.close journal;
        Alcotest.failf "%s was taken" file
    | exception Failure why ->
        let prefix = Printf.sprintf "Drover_mpi: the journal %s cannot be used: " file in
        if not (String.starts_with ~prefix why) then Alcotest.failf "%s, rather than: %s" why prefix
  in
  List.iter check [ "/dev/full"; "/no/journal"; "/" ]

let () =
  let case name f = Watchdog.case name (fun () -> with_file f) in
  Alcotest.run "journal"
    [
      ( "journal",
        [
          case "keeps what it was given" keeps;
          case "drops a torn record" torn;
          case "loses no record but a damaged one" damaged;
          case "goes on behind zeros" zeros;
          case "has one owner" one_owner;
          case "of a process that was killed is free" of_the_dead;
          case "is named by the system's errors" named;
          case "of others is refused" others;
          case "what is none is refused, and stays" no_journal;
        ] );
    ]
