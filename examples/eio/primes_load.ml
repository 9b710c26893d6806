(* Load for primes_server: some clients, each of which sends requests one after the other, and one
   that only pings. Prints throughput and latencies. *)

let now () = Mtime.Span.to_float_ns (Mtime_clock.elapsed ()) *. 1e-9

type connection = {
  input : Eio.Buf_read.t;
  flow : Eio.Flow.sink_ty Eio.Resource.t;
}

let connect ~sw env port =
  let address = `Tcp (Eio.Net.Ipaddr.V4.loopback, port) in
  let flow = Eio.Net.connect ~sw (Eio.Stdenv.net env) address in
  {
    input = Eio.Buf_read.of_flow ~max_size:8192 flow;
    flow :> Eio.Flow.sink_ty Eio.Resource.t;
  }

(* The status of the answer, and how many seconds it took. *)
let ask { input; flow } path =
  let start = now () in
  let status, _ = Http.ask input flow path in
  (status, now () -. start)

let client env port ~requests ~value =
  Eio.Switch.run (fun sw ->
      let connection = connect ~sw env port in
      List.init requests (fun _ ->
          ask connection (Printf.sprintf "/primes/%d" value)))

let pings env port =
  let latencies = ref [] in
  let ping () =
    Eio.Switch.run (fun sw ->
        let connection = connect ~sw env port in
        while true do
          latencies := snd (ask connection "/ping") :: !latencies;
          Eio.Time.sleep (Eio.Stdenv.clock env) 0.002
        done)
  in
  (ping, fun () -> !latencies)

let print_latencies what latencies =
  let sorted = Array.of_list latencies in
  Array.sort Float.compare sorted;
  let n = Array.length sorted in
  let at p =
    sorted.(Int.min (n - 1) (int_of_float (p *. float n))) *. 1e3
  in
  if n > 0 then
    Printf.printf "%s: p50 %.2f, p90 %.2f, p99 %.2f, at most %.2f ms\n" what
      (at 0.5) (at 0.9) (at 0.99) (at 1.)

let run port clients requests value =
  if clients < 1 || requests < 1 then invalid_arg "primes_load: no requests";
  Eio_main.run (fun env ->
      let start = now () in
      let ping, pings = pings env port in
      let answers =
        Eio.Fiber.first
          (fun () ->
            Eio.Fiber.List.map
              (fun () -> client env port ~requests ~value)
              (List.init clients ignore))
          ping
      in
      let seconds = now () -. start in
      let done_, refused =
        List.partition
          (fun (status, _) -> status = 200)
          (List.concat answers)
      in
      let n = List.length done_ in
      Printf.printf
        "%d requests in %.2f s: %.1f a second; %d were refused\n" n seconds
        (float n /. seconds)
        (List.length refused);
      print_latencies "answers" (List.map snd done_);
      print_latencies "pings" (pings ()))

let () =
  let open Cmdliner in
  let open Term.Syntax in
  let number name default doc =
    Arg.(value & opt int default & info [ name ] ~doc)
  in
  let term =
    let+ port = number "port" 8080 "The server's port."
    and+ clients = number "clients" 10 "Connections at a time."
    and+ requests = number "requests" 10 "Requests of each client."
    and+ value =
      number "value" 300_000 "The number that each request asks for."
    in
    run port clients requests value
  in
  exit
    (Cmd.eval
       (Cmd.v (Cmd.info "primes_load" ~doc:"Load for primes_server") term))
