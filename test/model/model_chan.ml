(* Channels, with the code that waits at them: whatever the order of steps and whoever is cancelled,
   no message is lost or received twice, none that was not sent is received, and nobody waits for
   what is there. *)

open Waiter

type trace = {
  mutable sent : int list;
  mutable got : int list;
  mutable waiting_to_send : int;
  mutable waiting_to_receive : int;
}

let create () = { sent = []; got = []; waiting_to_send = 0; waiting_to_receive = 0 }

let sends t c v () =
  t.waiting_to_send <- t.waiting_to_send + 1;
  let ends () = t.waiting_to_send <- t.waiting_to_send - 1 in
  match Chan.send c v with
  | () ->
      ends ();
      t.sent <- v :: t.sent
  | exception (Cancelled _ | Chan.Closed) -> ends ()

let receives t recv () =
  t.waiting_to_receive <- t.waiting_to_receive + 1;
  let ends () = t.waiting_to_receive <- t.waiting_to_receive - 1 in
  match recv () with
  | v ->
      ends ();
      t.got <- v :: t.got
  | exception (Cancelled _ | Chan.Closed) -> ends ()

let recv c () = Chan.recv c

let rec left c =
  match Chan.try_recv c with Some v -> v :: left c | None -> [] | exception Chan.Closed -> []

(* When all has come to rest. *)
let check t ~capacity channels =
  let stuck_sender = t.waiting_to_send > 0 and stuck_receiver = t.waiting_to_receive > 0 in
  Alcotest.(check bool)
    "a sender and a receiver wait for each other" false (stuck_sender && stuck_receiver);
  let stored = List.fold_left (fun n c -> n + Chan.length c) 0 channels in
  Alcotest.(check bool)
    "a receiver waits, and there are messages" false
    (stuck_receiver && stored > 0);
  Alcotest.(check bool) "a sender waits, and there is room" false (stuck_sender && stored < capacity);
  let sort = List.sort compare in
  let here = List.concat_map left channels in
  (* Taking what was left lets senders that waited go on. *)
  let received = t.got @ here in
  Alcotest.(check (list int)) "each message once" (sort t.sent) (sort received);
  List.iter
    (fun c ->
      if not (Chan.is_closed c) then begin
        Alcotest.(check int) "no slot is lost" 0 (Chan.length c);
        Alcotest.(check bool) "nobody is in line" (capacity > 0) (Chan.try_send c 0)
      end)
    (if stuck_receiver then [] else channels)

let channel capacity = if capacity = 0 then Chan.rendezvous () else Chan.bounded capacity

type role = Sends of int | Receives | Gives_up of role | Closes

let rec play t c = function
  | Sends v -> process (sends t c v)
  | Receives -> process (receives t (recv c))
  | Gives_up (Sends v) -> impatient (sends t c v)
  | Gives_up Receives -> impatient (receives t (recv c))
  | Gives_up role -> play t c role
  | Closes -> fun () -> Chan.close c

(* Those in [before] have come as far as they could. *)
let model ?(before = []) ~capacity roles () =
  let c = channel capacity and t = create () in
  List.iter (fun role -> play t c role ()) before;
  (List.map (play t c) roles, fun () -> check t ~capacity [ c ])

(* A select that receives from two channels, among senders to both. *)
let select ~capacity patience ~sends:s () =
  let channels = [| channel capacity; channel capacity |] and t = create () in
  let pick () =
    Chan.select (List.map (fun c -> Chan.receiving c Fun.id) (Array.to_list channels))
  in
  let processes =
    List.concat
      [
        [ patience (receives t pick) ]; List.map (fun (i, v) -> process (sends t channels.(i) v)) s;
      ]
  in
  (processes, fun () -> check t ~capacity (Array.to_list channels))

(* Two selects that offer each other what both of them want, in both directions. *)
let mutual () =
  let a = Chan.rendezvous () and b = Chan.rendezvous () in
  let sent = ref 0 and got = ref 0 in
  let side from into =
    process (fun () ->
        Chan.select
          [ Chan.receiving from (fun _ -> incr got); Chan.sending into 0 (fun () -> incr sent) ])
  in
  ( [ side a b; side b a ],
    fun () -> Alcotest.(check (pair int int)) "one exchange" (1, 1) (!sent, !got) )

let () =
  let bounded ?before roles = model ?before ~capacity:1 roles and rendezvous = model ~capacity:0 in
  Alcotest.run "model chan"
    [
      ( "rendezvous",
        [
          Explore.case "one and one" (rendezvous [ Sends 1; Receives ]);
          Explore.case "two senders" (rendezvous [ Sends 1; Sends 2; Receives ]);
          Explore.case "two receivers" (rendezvous [ Sends 1; Receives; Receives ]);
          Explore.case "a sender cancelled" (rendezvous [ Sends 1; Gives_up (Sends 2); Receives ]);
          Explore.case "a receiver cancelled" (rendezvous [ Sends 1; Receives; Gives_up Receives ]);
          Explore.case "closed" (rendezvous [ Sends 1; Receives; Closes ]);
        ] );
      ( "bounded",
        [
          Explore.case "one and one" (bounded [ Sends 1; Receives ]);
          Explore.case "two senders" (bounded [ Sends 1; Sends 2; Receives ]);
          Explore.case "a sender cancelled" (bounded [ Sends 1; Gives_up (Sends 2); Receives ]);
          Explore.case "a receiver cancelled" (bounded [ Sends 1; Receives; Gives_up Receives ]);
          Explore.case "a slot is given, another receives"
            (bounded ~before:[ Sends 1; Sends 2 ] [ Receives; Receives ]);
          Explore.case "the same, two slots"
            (bounded ~before:[ Sends 1; Sends 2; Sends 3 ] [ Receives; Receives ]);
          Explore.case "the same, closed"
            (bounded ~before:[ Sends 1; Sends 2 ] [ Receives; Receives; Closes ]);
          Explore.case "closed" (bounded [ Sends 1; Sends 2; Receives; Closes ]);
        ] );
      ( "select",
        [
          Explore.case "one sender" (select ~capacity:0 process ~sends:[ (0, 1) ]);
          Explore.case "two senders" (select ~capacity:0 process ~sends:[ (0, 1); (1, 2) ]);
          Explore.case "cancelled" (select ~capacity:1 impatient ~sends:[ (0, 1); (1, 2) ]);
          Explore.case "mutual" mutual;
        ] );
    ]
