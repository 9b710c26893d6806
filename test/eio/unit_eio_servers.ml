(* The example service, from the outside. *)

open Test_support

let check = Alcotest.(check string)

let with_service ?files ?(arguments = []) f () =
  Server.with_server ?files "eio/primes_server" ("--domains" :: "2" :: arguments) f

let check_ends s =
  Server.terminate s;
  Alcotest.(check bool) "status" true (Server.wait s = Unix.WEXITED 0)

let request path = Printf.sprintf "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n" path

(* The status and the body of an answer. *)
let answer (input, _) =
  let status = Scanf.sscanf (input_line input) "HTTP/1.1 %d" Fun.id in
  let rec length found =
    match String.trim (input_line input) with
    | "" -> found
    | field -> (
        match Scanf.sscanf_opt field "Content-Length: %d" Fun.id with
        | Some n -> length n
        | None -> length found)
  in
  let body = really_input_string input (length 0) in
  Printf.sprintf "%d %s" status (String.trim body)

let ask c path =
  Server.send c (request path);
  answer c

let answers s =
  let c = Server.connect s in
  check "below 100" "200 25" (ask c "/primes/100");
  check "below 0" "200 0" (ask c "/primes/0");
  check "ping" "200 pong" (ask c "/ping");
  check "no page" "404 there are /primes/N and /ping" (ask c "/");
  let bad = "400 not a number from 0 to 100000000" in
  List.iter
    (fun text -> check text bad (ask c ("/primes/" ^ text)))
    [ ""; "x"; "-1"; "100000001"; "1e9"; "12345678901234567890" ];
  check "it goes on" "200 9592" (ask c "/primes/100000");
  check_ends s

let at_the_same_time s =
  let connections = List.init 20 (fun _ -> Server.connect s) in
  List.iter (fun c -> Server.send c (request "/primes/100000")) connections;
  List.iter (fun c -> check "below 100,000" "200 9592" (answer c)) connections;
  check_ends s

let ends_with s text expected =
  let c = Server.connect s in
  Server.send c text;
  check text expected (answer c);
  Alcotest.(check (list string)) "closed" [] (Server.lines (fst c))

let no_request s =
  ends_with s "POST / HTTP/1.1\r\n\r\n" "400 only GET";
  ends_with s "x\r\n\r\n" "400 only GET";
  ends_with s "GET /ping HTTP/1.1\r\nx\r\n\r\n" "400 a field without a colon";
  ends_with s "GET /ping HTTP/1.1\r\nConnection: close\r\n\r\n" "200 pong";
  let ((input, _) as c) = Server.connect s in
  Server.until_it_hears_no_more c "xxxxxxxxxxxxxxxx";
  Alcotest.(check (list string)) "a line without end" [] (Server.lines input);
  check "others are served" "200 pong" (ask (Server.connect s) "/ping");
  check_ends s

(* What comes when as much is in flight as may be is refused; pings are answered. *)
let too_many s =
  let first = Server.connect s and second = Server.connect s in
  Server.send first (request "/primes/100000000");
  let rec until_refused () =
    let reply = ask second "/primes/1000" in
    if reply = "200 168" then until_refused ()
    else check "refused" "503 too many requests in flight" reply
  in
  until_refused ();
  check "ping" "200 pong" (ask second "/ping");
  check "the first" "504 it takes too long" (answer first);
  check "room again" "200 168" (ask second "/primes/1000");
  check_ends s

let dropped s =
  for i = 1 to 60 do
    let c = Server.connect s in
    Server.send c (if i mod 3 = 0 then "GET /pri" else request "/primes/300000");
    if i mod 3 = 1 then Unix.sleepf 0.001;
    Server.drop c
  done;
  check "others are served" "200 9592" (ask (Server.connect s) "/primes/100000");
  check_ends s

(* All requests that have arrived are answered, though the signal comes before the first is. *)
let owed s =
  let c = Server.connect s in
  check "connected" "200 pong" (ask c "/ping");
  Server.send c
    (request "/primes/1000000" ^ String.concat "" (List.init 20 (fun _ -> request "/ping")));
  check "another" "200 pong" (ask (Server.connect s) "/ping");
  Server.terminate s;
  check "primes" "200 78498" (answer c);
  for _ = 1 to 20 do
    check "ping" "200 pong" (answer c)
  done;
  Alcotest.(check (list string)) "closed" [] (Server.lines (fst c));
  Alcotest.(check bool) "status" true (Server.wait s = Unix.WEXITED 0)

(* A client that sends nothing, or half a request, or does not read, is given up. *)
let impatient = [ "--patience"; "0.2" ]

let silent s =
  let input, _ = Server.connect s in
  Alcotest.(check (list string)) "nothing comes" [] (Server.lines input);
  let ((input, _) as c) = Server.connect s in
  Server.send c "GET /ping";
  Alcotest.(check (list string)) "nor after half a request" [] (Server.lines input);
  check_ends s

let deaf s =
  let ((input, _) as c) = Server.connect s in
  Server.until_it_hears_no_more c (request "/ping");
  ignore (Server.lines input : string list);
  check_ends s

(* A computation that has not ended by the end of the grace goes with it, and so does a client. *)
let long_at_the_end s =
  let c = Server.connect s and deaf = Server.connect s in
  Server.until_it_hears_no_more deaf (request "/ping");
  Server.send c (request "/primes/100000000");
  check "it was read" "200 pong" (ask (Server.connect s) "/ping");
  check_ends s;
  ignore (Sys.opaque_identity deaf)

(* More clients than the server may open files: they wait, nobody is dropped, and it recovers. *)
let out_of_files s =
  let connections = List.init 60 (fun _ -> Server.connect s) in
  let served c =
    Server.send c (request "/ping");
    check "ping" "200 pong" (answer c);
    Server.drop c
  in
  List.iter served connections;
  check "afterwards" "200 9592" (ask (Server.connect s) "/primes/100000");
  check_ends s

let () =
  let case ?files ?arguments name f = Watchdog.case name (with_service ?files ?arguments f) in
  Alcotest.run "unit eio servers"
    [
      ( "primes",
        [
          case "answers" answers;
          case "at the same time" at_the_same_time;
          case "no request" no_request;
          case "too many" too_many ~arguments:[ "--in-flight"; "1"; "--deadline"; "2" ];
          case "dropped connections" dropped;
          case "out of files" out_of_files ~files:40;
          case "what was asked is answered" owed ~arguments:[ "--grace"; "1000" ];
          case "silent clients" silent ~arguments:impatient;
          case "a client that does not read" deaf ~arguments:impatient;
          case "a long computation" long_at_the_end
            ~arguments:[ "--patience"; "1000"; "--grace"; "0.2" ];
        ] );
    ]
