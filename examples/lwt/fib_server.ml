(* Fibonacci numbers over TCP: a line with a number is answered by a line with its Fibonacci number.

   The loop reads and writes; the numbers are computed on all cores. A line that is no number gets
   an error, a line without end closes the connection, and SIGTERM ends the program when the lines
   that have arrived are answered. "ping" is answered by the loop itself. *)

open Lwt.Syntax
open Example_servers

let rec fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)

let rec parallel_fib n =
  if n < 20 then fib n
  else
    let a, b =
      Drover.both
        (fun () -> parallel_fib (n - 1))
        (fun () -> parallel_fib (n - 2))
    in
    a + b

let largest = 60
let longest_line = 100

type line = Line of string | Too_long | End

let read_line input =
  let text = Buffer.create 16 in
  let rec go () =
    let* c = Lwt_io.read_char_opt input in
    match c with
    | None -> Lwt.return End
    | Some '\n' -> Lwt.return (Line (String.trim (Buffer.contents text)))
    | Some _ when Buffer.length text = longest_line -> Lwt.return Too_long
    | Some c ->
        Buffer.add_char text c;
        go ()
  in
  go ()

let write_line (client : Serve.client) text =
  Serve.in_time client (fun () ->
      let* () = Lwt_io.write_line client.output text in
      Lwt_io.flush client.output)

let answer compute request =
  match Decimal.of_string ~most:largest request with
  | _ when request = "ping" -> Lwt.return "pong"
  | Some n -> Lwt.map string_of_int (compute n)
  | None ->
      Lwt.return (Printf.sprintf "error: not a number from 0 to %d" largest)

let rec serve compute (client : Serve.client) =
  let* line = Serve.in_time client (fun () -> read_line client.input) in
  match line with
  | End -> Lwt.return_unit
  | Too_long -> write_line client "error: the line is too long"
  | Line request ->
      let* text = answer compute request in
      let* () = write_line client text in
      serve compute client

let refuse client = write_line client "error: too many connections"

let run settings domains in_flight systhreads =
  let compute =
    if systhreads then begin
      Lwt_preemptive.init 0 (Option.value domains ~default:4) ignore;
      Lwt_preemptive.detach fib
    end
    else
      let pool = Drover.Pool.create ~name:"fib" ?domains () in
      fun n -> Drover_lwt.detach ~pool (fun () -> parallel_fib n)
  in
  Drover_lwt.set_max_in_flight in_flight;
  Lwt_main.run (Serve.run settings ~refuse (serve compute))

let () =
  let open Cmdliner in
  let open Term.Syntax in
  let term =
    let+ settings = Serve.settings ~port:8000
    and+ domains =
      Arg.(
        value
        & opt (some int) None
        & info [ "domains" ] ~doc:"Domains that compute.")
    and+ in_flight =
      Arg.(
        value & opt int 1000
        & info [ "in-flight" ] ~doc:"Computations at a time.")
    and+ systhreads =
      Arg.(value & flag & info [ "systhreads" ] ~doc:"With Lwt_preemptive.")
    in
    run settings domains in_flight systhreads
  in
  exit
    (Cmd.eval
       (Cmd.v
          (Cmd.info "fib_server" ~doc:"Fibonacci numbers over TCP")
          term))
