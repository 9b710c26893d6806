(* Load for fib_server: some clients, each of which sends requests one after the other, and one that
   only pings. Prints throughput and latencies. *)

open Lwt.Syntax

let now () = Mtime.Span.to_float_ns (Mtime_clock.elapsed ()) *. 1e-9

type connection = Lwt_io.input_channel * Lwt_io.output_channel

let connect port : connection Lwt.t =
  Lwt_io.open_connection ~set_tcp_nodelay:true
    (ADDR_INET (Unix.inet_addr_loopback, port))

(* The answer, and how many seconds it took. *)
let ask ((input, output) : connection) request =
  let start = now () in
  let* () = Lwt_io.write_line output request in
  let* () = Lwt_io.flush output in
  let+ answer = Lwt_io.read_line input in
  (answer, now () -. start)

let check answer =
  if String.starts_with ~prefix:"error" answer then
    failwith ("the server says " ^ answer)

let client port ~requests ~value =
  let* connection = connect port in
  let rec go latencies = function
    | 0 -> Lwt.return latencies
    | n ->
        let* answer, latency = ask connection (string_of_int value) in
        check answer;
        go (latency :: latencies) (n - 1)
  in
  let* latencies = go [] requests in
  let+ () = Lwt_io.close (snd connection) in
  latencies

let pings port ~until =
  let* connection = connect port in
  let rec go latencies =
    if not (Lwt.is_sleeping until) then Lwt.return latencies
    else
      let* _pong, latency = ask connection "ping" in
      let* () = Lwt_unix.sleep 0.002 in
      go (latency :: latencies)
  in
  go []

let print_latencies what latencies =
  let sorted = Array.of_list latencies in
  Array.sort Float.compare sorted;
  let n = Array.length sorted in
  let at p =
    sorted.(Int.min (n - 1) (int_of_float (p *. float n))) *. 1e3
  in
  Printf.printf "%s: p50 %.2f, p90 %.2f, p99 %.2f, at most %.2f ms\n" what
    (at 0.5) (at 0.9) (at 0.99) (at 1.)

let run port clients requests value =
  if clients < 1 || requests < 1 then invalid_arg "fib_load: no requests";
  let start = now () in
  let answered =
    Lwt.all (List.init clients (fun _ -> client port ~requests ~value))
  in
  let latencies, pings =
    Lwt_main.run (Lwt.both answered (pings port ~until:answered))
  in
  let latencies = List.concat latencies in
  let n = List.length latencies and seconds = now () -. start in
  Printf.printf "%d requests in %.2f s: %.1f a second\n" n seconds
    (float n /. seconds);
  print_latencies "answers" latencies;
  print_latencies "pings" pings

let () =
  let open Cmdliner in
  let open Term.Syntax in
  let number name default doc =
    Arg.(value & opt int default & info [ name ] ~doc)
  in
  let term =
    let+ port = number "port" 8000 "The server's port."
    and+ clients = number "clients" 10 "Connections at a time."
    and+ requests = number "requests" 10 "Requests of each client."
    and+ value =
      number "value" 35 "The number that each request asks for."
    in
    run port clients requests value
  in
  exit
    (Cmd.eval (Cmd.v (Cmd.info "fib_load" ~doc:"Load for fib_server") term))
