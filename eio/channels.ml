(* Channels: Drover's, with a fiber at one end. A task waits for it where it would have to. *)

open Drover

let send ?pool c v = if not (Chan.try_send c v) then Fibers.run ?pool (fun () -> Chan.send c v)

let recv ?pool c =
  match Chan.try_recv c with Some v -> v | None -> Fibers.run ?pool (fun () -> Chan.recv c)

let rec of_stream ?pool s c =
  send ?pool c (Eio.Stream.take s);
  of_stream ?pool s c

let rec to_stream ?pool c s =
  match recv ?pool c with
  | v ->
      Eio.Stream.add s v;
      to_stream ?pool c s
  | exception Chan.Closed -> ()
