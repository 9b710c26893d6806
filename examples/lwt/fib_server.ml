(* Fibonacci numbers over TCP: a line with a number is answered by a line with its Fibonacci number.

   The loop reads and writes; the numbers are computed on all cores. A line that is no number gets
   an error, a line without end closes the connection, and SIGTERM ends the program when the answers
   that it owes are written. "ping" is answered by the loop itself. *)

open Lwt.Syntax

let rec fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)

let rec parallel_fib n =
  if n < 20 then fib n
  else
    let a, b = Drover.both (fun () -> parallel_fib (n - 1)) (fun () -> parallel_fib (n - 2)) in
    a + b

let largest = 60
let longest_line = 100

(* Seconds that a client may take to send a line, or to read its answer. *)
let patience = 60.

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

let write_line output text =
  Lwt_unix.with_timeout patience (fun () ->
      let* () = Lwt_io.write_line output text in
      Lwt_io.flush output)

let number text =
  match int_of_string_opt text with
  | Some n when n >= 0 && n <= largest -> Some n
  | Some _ | None -> None

let answer compute request =
  match number request with
  | _ when request = "ping" -> Lwt.return "pong"
  | Some n -> Lwt.map string_of_int (compute n)
  | None -> Lwt.return (Printf.sprintf "error: not a number from 0 to %d" largest)

let rec serve stopping compute (input, output) =
  let next () = Lwt.pick [ read_line input; Lwt.map (fun () -> End) (Lwt.protected stopping) ] in
  let* line = Lwt_unix.with_timeout patience next in
  match line with
  | End -> Lwt.return_unit
  | Too_long -> write_line output "error: the line is too long"
  | Line request ->
      let* text = answer compute request in
      let* () = write_line output text in
      serve stopping compute (input, output)

let refuse (_, output) = write_line output "error: too many connections"

let run port domains at_most in_flight systhreads =
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
  let server = Serve.create ~at_most in
  Lwt_main.run (Serve.run server ~port ~patience:10. ~refuse (serve server.stopping compute))

let () =
  let open Cmdliner in
  let open Term.Syntax in
  let number name default doc = Arg.(value & opt int default & info [ name ] ~doc) in
  let term =
    let+ port = number "port" 8000 "The port; 0 for a free one."
    and+ domains =
      Arg.(value & opt (some int) None & info [ "domains" ] ~doc:"Domains that compute.")
    and+ at_most = number "connections" 1000 "Connections at a time."
    and+ in_flight = number "in-flight" 1000 "Computations at a time."
    and+ systhreads = Arg.(value & flag & info [ "systhreads" ] ~doc:"With Lwt_preemptive.") in
    run port domains at_most in_flight systhreads
  in
  exit (Cmd.eval (Cmd.v (Cmd.info "fib_server" ~doc:"Fibonacci numbers over TCP") term))
