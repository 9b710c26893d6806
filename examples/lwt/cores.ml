(* An Lwt program whose computations run on all cores. *)

open Lwt.Syntax

let rec fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)

(* The loop goes on while another domain computes. *)
let one () =
  let* n = Drover_lwt.detach (fun () -> fib 25) in
  Lwt_io.printlf "fib 25 is %d" n

(* A computation may be parallel itself. *)
let parallel () =
  let* n =
    Drover_lwt.detach (fun () ->
        Drover.parallel_reduce ~start:1 ~finish:20 ~init:0 ~combine:( + )
          fib)
  in
  Lwt_io.printlf "and the sum of the first 20 is %d" n

(* A computation that needs the loop suspends until the loop has answered. *)
let reports () =
  Drover_lwt.detach (fun () ->
      for i = 1 to 3 do
        let n = fib (10 * i) in
        Drover_lwt.run_in_main (fun () ->
            Lwt_io.printlf "fib %d is %d" (10 * i) n)
      done)

(* Exceptions come back, and what nobody wants any more is cancelled. *)
let impatient () =
  let compute () =
    while true do
      Drover.Scope.check ()
    done
  in
  Lwt.catch
    (fun () ->
      Lwt_unix.with_timeout 0.01 (fun () -> Drover_lwt.detach compute))
    (function
      | Lwt_unix.Timeout -> Lwt_io.printl "it takes too long"
      | exn -> Lwt.reraise exn)

(* Up to four elements are computed ahead of who reads. *)
let stream () =
  let numbers = Lwt_stream.of_list [ 5; 10; 15; 20 ] in
  Lwt_stream.iter_s (Lwt_io.printlf "%d")
    (Drover_lwt.Stream.map ~look_ahead:4 fib numbers)

(* Child processes: Lwt's own way forks, which OCaml refuses by now. *)
let output_of command =
  Drover_lwt.detach (fun () ->
      Drover.blocking (fun () ->
          let input = Unix.open_process_in command in
          let output = In_channel.input_all input in
          (Unix.close_process_in input, output)))

let child () =
  let* _, output = output_of "echo from a child" in
  Lwt_io.print output

let () =
  Lwt_main.run
    (Lwt_list.iter_s
       (fun f -> f ())
       [ one; parallel; reports; impatient; stream; child ])
