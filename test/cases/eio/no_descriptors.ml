(* The example server died when it had no descriptor for a connection. *)

let server = Case.built "examples/eio/primes_server.exe"

let limited =
  [ "sh"; "-c"; "ulimit -n 40 && exec \"$@\""; "sh"; server; "--domains"; "2"; "--port"; "0" ]

let connect port =
  let socket = Unix.socket PF_INET SOCK_STREAM 0 in
  Unix.connect socket (ADDR_INET (Unix.inet_addr_loopback, port));
  socket

let answers port =
  let socket = connect port in
  let request = "GET /ping HTTP/1.1\r\nHost: localhost\r\n\r\n" in
  Unix.setsockopt_float socket SO_RCVTIMEO 5.;
  match
    ignore (Unix.write_substring socket request 0 (String.length request) : int);
    Unix.read socket (Bytes.create 100) 0 100
  with
  | n -> n > 0
  | exception Unix.Unix_error _ -> false

let port_of output =
  match Str.search_forward (Str.regexp "port \\([0-9]+\\)") output 0 with
  | (_ : int) -> int_of_string (Str.matched_group 1 output)
  | exception Not_found -> failwith output

let () =
  Case.main ~seconds:30. @@ fun () ->
  let p = Case.start limited in
  let port = port_of (Case.until_it_says p "\n") in
  let sockets = List.init 60 (fun _ -> connect port) in
  Unix.sleepf 0.5;
  List.iter Unix.close sockets;
  Unix.sleepf 0.5;
  let fine = try answers port with Unix.Unix_error _ -> false in
  Case.expect fine "after 60 connections at 40 descriptors the server answers: %b" fine
