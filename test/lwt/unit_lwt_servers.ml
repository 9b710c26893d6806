(* The example servers, from the outside. *)

open Test_support

let check = Alcotest.(check string)
let with_fib arguments f () = Server.with_server "lwt/fib_server" arguments f
let domains = [ "--domains"; "2" ]

let check_ends s =
  Server.terminate s;
  Alcotest.(check bool) "status" true (Server.wait s = Unix.WEXITED 0)

let answers s =
  let c = Server.connect s in
  check "fib 25" "75025" (Server.ask c "25");
  check "fib 0" "0" (Server.ask c "0");
  check "ping" "pong" (Server.ask c "ping");
  let bad = "error: not a number from 0 to 60" in
  List.iter (fun line -> check line bad (Server.ask c line)) [ ""; "x"; "-1"; "61"; "1e9"; "2 3" ];
  check "it goes on" "6765" (Server.ask c "20\r");
  check_ends s

let at_the_same_time s =
  let connections = List.init 20 (fun _ -> Server.connect s) in
  let send (_, output) =
    output_string output "24\n";
    flush output
  in
  List.iter send connections;
  List.iter (fun (input, _) -> check "fib 24" "46368" (input_line input)) connections;
  check_ends s

let too_long s =
  let ((input, _) as c) = Server.connect s in
  check "refused" "error: the line is too long" (Server.ask c (String.make 1000 '1'));
  Alcotest.(check bool)
    "closed" true
    (match input_line input with
    | _ -> false
    | exception End_of_file -> true
    | exception Sys_error _ -> true);
  check "others are served" "5" (Server.ask (Server.connect s) "5");
  check_ends s

let too_many s =
  let first = Server.connect s in
  check "the first" "5" (Server.ask first "5");
  let second, _ = Server.connect s in
  check "the second" "error: too many connections" (input_line second);
  check "the first again" "8" (Server.ask first "6");
  check_ends s

(* In the middle of a line, of a computation, and of an answer. *)
let dropped s =
  for i = 1 to 60 do
    let ((_, output) as c) = Server.connect s in
    output_string output (if i mod 3 = 0 then "2" else "27\n");
    flush output;
    if i mod 3 = 1 then Unix.sleepf 0.001;
    Server.drop c
  done;
  check "others are served" "75025" (Server.ask (Server.connect s) "25");
  check_ends s

(* What was asked before the signal is answered. *)
let graceful s =
  let ((input, output) as c) = Server.connect s in
  check "connected" "pong" (Server.ask c "ping");
  output_string output "30\n";
  flush output;
  (* The loop answers in order: when this is here, the request above was read. *)
  let other = Server.connect s in
  check "another" "pong" (Server.ask other "ping");
  Server.terminate s;
  check "answer" "832040" (input_line input);
  Alcotest.(check bool) "status" true (Server.wait s = Unix.WEXITED 0)

(* All lines that have arrived are answered, though the signal comes before the first is. *)
let owed s =
  let ((input, _) as c) = Server.connect s in
  check "connected" "pong" (Server.ask c "ping");
  Server.send c ("30\n" ^ String.concat "" (List.init 20 (fun _ -> "ping\n")));
  let other = Server.connect s in
  check "another" "pong" (Server.ask other "ping");
  Server.terminate s;
  Alcotest.(check (list string))
    "answers"
    ("832040" :: List.init 20 (fun _ -> "pong"))
    (Server.lines input);
  Alcotest.(check bool) "status" true (Server.wait s = Unix.WEXITED 0)

(* A client that sends nothing, and one that does not read, are given up. *)

let impatient = [ "--patience"; "0.2" ]

let silent request s =
  let input, _ = Server.connect s in
  Alcotest.(check (list string)) "nothing comes" [] (Server.lines input);
  let ((input, _) as c) = Server.connect s in
  Server.send c (String.sub request 0 (String.length request - 1));
  Alcotest.(check (list string)) "nor after half a request" [] (Server.lines input);
  check_ends s

let deaf request s =
  let ((input, _) as c) = Server.connect s in
  Server.until_it_hears_no_more c request;
  ignore (Server.lines input : string list);
  check_ends s

(* The server ends, though clients have all the time that they want. *)

let patient = [ "--patience"; "1000000"; "--grace"; "0.2" ]

let deaf_at_the_end request s =
  let c = Server.connect s in
  Server.until_it_hears_no_more c request;
  check_ends s;
  ignore (Sys.opaque_identity c)

(* A computation that has not ended by then goes with it. *)
let long_at_the_end s =
  Server.send (Server.connect s) "60\n";
  check "it was read" "pong" (Server.ask (Server.connect s) "ping");
  check_ends s

(* More clients than the server may open files: they wait, and it recovers. *)
let out_of_files s =
  let connections = List.init 60 (fun _ -> Server.connect s) in
  let first = List.hd connections in
  check "the first is served" "pong" (Server.ask first "ping");
  let last = List.nth connections 59 in
  Server.send last "ping\n";
  List.iter (fun c -> if c != last then close_in (fst c)) connections;
  check "the last is served when there is room" "pong" (input_line (fst last));
  check "a new one, too" "pong" (Server.ask (Server.connect s) "ping");
  check_ends s

let decimals () =
  let expect text number =
    Alcotest.(check (option int)) text number (Example_servers.Decimal.of_string ~most:60 text)
  in
  List.iter
    (fun (text, n) -> expect text (Some n))
    [ ("0", 0); ("60", 60); ("007", 7); ("000000000000000001", 1) ];
  List.iter
    (fun text -> expect text None)
    [ ""; "61"; "-1"; "+1"; " 1"; "1 "; "1_0"; "0x1"; "0b1"; "0u1"; "1e1"; "1."; "\xb2" ];
  List.iter
    (fun text -> expect text None)
    [ "9223372036854775807"; "18446744073709551617"; String.make 1000 '9' ]

(* Tiles *)

let with_tiles ?(arguments = []) f () = Server.with_server "lwt/tile_server" (domains @ arguments) f
let get = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"

let rec headers input =
  match String.trim (input_line input) with
  | "" -> []
  | line ->
      let at = String.index line ':' in
      let value = String.sub line (at + 1) (String.length line - at - 1) in
      (String.lowercase_ascii (String.sub line 0 at), String.trim value) :: headers input

(* The status, the type and the body. *)
let request ?(verb = "GET") (input, output) path =
  Printf.fprintf output "%s %s HTTP/1.1\r\nHost: localhost\r\n\r\n%!" verb path;
  let status = Scanf.sscanf (input_line input) "HTTP/1.1 %d" Fun.id in
  let headers = headers input in
  let length = int_of_string (List.assoc "content-length" headers) in
  (status, List.assoc "content-type" headers, really_input_string input length)

let uncompress text =
  let from = ref 0 and all = Buffer.create 100_000 in
  let refill bytes =
    let n = Int.min (Bytes.length bytes) (String.length text - !from) in
    Bytes.blit_string text !from bytes 0 n;
    from := !from + n;
    n
  in
  Zlib.uncompress refill (fun bytes n -> Buffer.add_subbytes all bytes 0 n);
  Buffer.contents all

(* Its chunks, with right checksums. *)
let rec chunks png from =
  if from = String.length png then []
  else
    let length = Int32.to_int (String.get_int32_be png from) in
    let body = String.sub png (from + 4) (4 + length) in
    let crc = Zlib.update_crc_string 0l body 0 (4 + length) in
    Alcotest.(check int32) "checksum" crc (String.get_int32_be png (from + 8 + length));
    (String.sub body 0 4, String.sub body 4 length) :: chunks png (from + 12 + length)

let check_png png =
  check "signature" "\137PNG\r\n\026\n" (String.sub png 0 8);
  match chunks png 8 with
  | [ ("IHDR", header); ("IDAT", data); ("IEND", "") ] ->
      Alcotest.(check (pair int32 int32))
        "size" (256l, 256l)
        (String.get_int32_be header 0, String.get_int32_be header 4);
      let lines = uncompress data in
      Alcotest.(check int) "bytes" (256 * ((3 * 256) + 1)) (String.length lines);
      lines
  | chunks -> Alcotest.failf "chunks: %s" (String.concat " " (List.map fst chunks))

let tiles s =
  let c = Server.connect s in
  let tile path =
    let status, kind, body = request c path in
    Alcotest.(check (pair int string)) path (200, "image/png") (status, kind);
    check_png body
  in
  let whole = tile "/tile/0/0/0.png" in
  let pixel x y = String.sub whole ((y * ((3 * 256) + 1)) + 1 + (3 * x)) 3 in
  check "the origin is in the set" "\000\000\000" (pixel 170 128);
  Alcotest.(check bool) "the corner is not" true (pixel 0 0 <> "\000\000\000");
  ignore (tile "/tile/5/10/12.png" : string);
  check_ends s

let pages s =
  let c = Server.connect s in
  let expect ?verb path expected_status expected_kind =
    let status, kind, _ = request ?verb c path in
    Alcotest.(check (pair int string)) path (expected_status, expected_kind) (status, kind)
  in
  let text = "text/plain; charset=utf-8" in
  expect "/" 200 "text/html; charset=utf-8";
  List.iter (fun path -> expect path 404 text) [ "/x"; "/tile"; "/tiles/0/0/0.png"; "/favicon.ico" ];
  List.iter
    (fun path -> expect ("/tile/" ^ path) 400 text)
    [ ""; "1/2/0.png"; "1/0/2.png"; "41/0/0.png"; "-1/0/0.png"; "0/-1/0.png"; "0/0/-1.png" ];
  List.iter
    (fun path -> expect ("/tile/" ^ path) 400 text)
    [ "1/0/0.png/"; "1/0/0.jpg"; "1/0/.png"; "0x1/0/0.png"; "1/0"; "1.5/0/0.png"; "//.png" ];
  (* What would overflow, and come out as something else. *)
  List.iter
    (fun path -> expect ("/tile/" ^ path) 400 text)
    [
      "5764607523034234880/0/0.png";
      "0/9223372036854775807/0.png";
      "0/18446744073709551616/0.png";
      "99999999999999999999999/0/0.png";
    ];
  expect ~verb:"DELETE" "/" 405 text;
  check_ends s

(* Requests that are no requests, and clients that do not wait. *)
let strange_clients s =
  let send text =
    let ((_, output) as c) = Server.connect s in
    output_string output text;
    flush output;
    Server.drop c
  in
  List.iter send
    [ ""; "GET /tile"; "nonsense\r\n\r\n"; "GET /tile/6/20/30.png HTTP/1.1\r\nHost: x\r\n\r\n" ];
  let status, _, _ = request (Server.connect s) "/" in
  Alcotest.(check int) "others are served" 200 status;
  check_ends s

let case name f = Watchdog.case name f
let many text = String.concat "" (List.init 1000 (fun _ -> text))

(* Whose answers are long. *)
let empty_lines = many "\n"
let gets = many get

let () =
  Sys.set_signal Sys.sigpipe Sys.Signal_ignore;
  Alcotest.run "unit lwt servers"
    [
      ( "fib",
        [
          case "answers" (with_fib domains answers);
          case "on one domain" (with_fib [ "--domains"; "1" ] answers);
          case "with systhreads" (with_fib [ "--systhreads" ] answers);
          case "at the same time" (with_fib domains at_the_same_time);
          case "few in flight" (with_fib (domains @ [ "--in-flight"; "1" ]) at_the_same_time);
          case "a line too long" (with_fib domains too_long);
          case "too many connections" (with_fib (domains @ [ "--connections"; "1" ]) too_many);
          case "dropped connections" (with_fib domains dropped);
          case "SIGTERM" (with_fib domains graceful);
          case "SIGTERM, much is owed" (with_fib domains owed);
          case "a silent client" (with_fib (domains @ impatient) (silent "1\n"));
          case "a deaf client" (with_fib (domains @ impatient) (deaf empty_lines));
          case "SIGTERM, a deaf client" (with_fib (domains @ patient) (deaf_at_the_end empty_lines));
          case "SIGTERM, a long computation" (with_fib (domains @ patient) long_at_the_end);
          case "out of files" (fun () ->
              Server.with_server ~files:40 "lwt/fib_server" domains out_of_files);
          case "numbers" decimals;
        ] );
      ( "tiles",
        [
          case "tiles" (with_tiles tiles);
          case "pages" (with_tiles pages);
          case "strange clients" (with_tiles strange_clients);
          case "a silent client" (with_tiles ~arguments:impatient (silent get));
          case "a deaf client" (with_tiles ~arguments:impatient (deaf gets));
          case "SIGTERM, a deaf client" (with_tiles ~arguments:patient (deaf_at_the_end gets));
        ] );
    ]
