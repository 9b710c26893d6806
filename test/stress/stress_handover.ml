(* A wait at a rendezvous that is cancelled while another domain comes to meet it: either the two have
   met, or the wait has raised. *)

open Test_support
open Drover
open Stdlib

let rounds = 30_000
let spin n = for _ = 1 to n do Domain.cpu_relax () done [@@ocamlformat "disable"]

(* Whether [wait c] has returned, if it is cancelled some time after it has begun. *)
let cancelled_while_waiting c wait ~begun ~after =
  let returned = ref false in
  let begins, resolver = Promise.create () in
  let waiting () =
    Promise.fulfil resolver ();
    match wait c with () -> returned := true | exception Cancelled _ -> ()
  in
  match
    Scope.run (fun s ->
        Scope.spawn s waiting;
        await begins;
        Atomic.set begun true;
        spin after;
        raise Exit)
  with
  | () -> Alcotest.fail "not cancelled"
  | exception Exit -> !returned

let meet wait come_by round =
  let c = Chan.rendezvous () and begun = Atomic.make false in
  let come () =
    while not (Atomic.get begun) do
      Domain.cpu_relax ()
    done;
    spin (100 + (round * 7919 mod 300));
    come_by c
  in
  let returned, met =
    both (fun () -> cancelled_while_waiting c wait ~begun ~after:(round mod 300)) come
  in
  Alcotest.(check bool) "met" met returned

let each_round wait come_by () =
  run ~domains:2 (fun () ->
      for round = 1 to rounds do
        meet wait come_by round
      done)

let received c = Option.is_some (Chan.try_recv c)
let sent c = Chan.try_send c ()

let () =
  let case name wait come_by = Watchdog.case ~seconds:300. name (each_round wait come_by) in
  Alcotest.run "stress handover"
    [
      ( "cancelled",
        [
          case "send" (fun c -> Chan.send c ()) received;
          case "select, sending" (fun c -> Chan.select [ Chan.sending c () ignore ]) received;
          case "recv" Chan.recv sent;
          case "select, receiving" (fun c -> Chan.select [ Chan.receiving c ignore ]) sent;
        ] );
    ]
