(* Channels: Drover's, with a fiber at one end. A task waits for it where it would have to. *)

open Drover

let send_for caller ?pool c v =
  if not (Chan.try_send c v) then Fibers.run_for caller ?pool (fun () -> Chan.send c v)

let recv_for caller ?pool c =
  match Chan.try_recv c with
  | Some v -> v
  | None -> Fibers.run_for caller ?pool (fun () -> Chan.recv c)

let send ?pool c v = send_for "Drover_eio.Chan.send" ?pool c v
let recv ?pool c = recv_for "Drover_eio.Chan.recv" ?pool c

(* While the stream is empty, the other fiber sees the channel closed. *)
let of_stream ?pool s c =
  let rec forward () =
    send_for "Drover_eio.Chan.of_stream" ?pool c (Eio.Stream.take s);
    forward ()
  in
  Eio.Fiber.first (fun () -> try forward () with Chan.Closed -> ()) (fun () -> Chan.wait_closed c);
  raise Chan.Closed

let rec to_stream ?pool c s =
  match recv_for "Drover_eio.Chan.to_stream" ?pool c with
  | v ->
      Eio.Stream.add s v;
      to_stream ?pool c s
  | exception Chan.Closed -> ()
