(* Races that drop nothing, and what losers may raise. *)

open Test_support
open Drover
open Stdlib
module Semaphore = Drover.Semaphore

exception Stop

let never () = await (fst (Promise.create ()))

let on_each name f =
  List.map
    (fun n -> Watchdog.case (Printf.sprintf "%s, %d domains" name n) (fun () -> run ~domains:n f))
    [ 1; 2; 4 ]

(* Does [f] when it is cancelled. *)
let when_cancelled f () = try never () with Cancelled _ -> Scope.protect f

(* Once all [begun] have. *)
let last begun f () =
  List.iter (fun (p, _) -> await p) begun;
  f ()

let begins (_, r) f () =
  Promise.fulfil r ();
  f ()

type race = { race : 'a. ?combine:('a -> 'a -> 'a) -> (unit -> 'a) list -> 'a }

let first = { race = (fun ?combine fs -> Scope.first ?combine fs) }
let any = { race = (fun ?combine fs -> Scope.any ?combine fs) }

let both_races name test =
  on_each (name ^ ", first") (test first) @ on_each (name ^ ", any") (test any)

let combines { race } () =
  let a = Promise.create () and b = Promise.create () in
  let losers =
    [ begins a (when_cancelled (fun () -> [ 2 ])); begins b (when_cancelled (fun () -> [ 3 ])) ]
  in
  match race ~combine:( @ ) (last [ a; b ] (fun () -> [ 1 ]) :: losers) with
  | 1 :: others -> Alcotest.(check (list int)) "the others" [ 2; 3 ] (List.sort compare others)
  | v -> Alcotest.failf "the winner is not the first of %d" (List.length v)

let alone { race } () =
  let combine _ _ = Alcotest.fail "called" in
  Alcotest.(check int) "alone" 1 (race ~combine [ (fun () -> 1) ]);
  Alcotest.(check int) "the others are cancelled" 1 (race ~combine [ never; (fun () -> 1); never ]);
  Alcotest.(check int)
    "dropped without" 1
    (let a = Promise.create () in
     race [ begins a (when_cancelled (fun () -> 2)); last [ a ] (fun () -> 1) ])

(* A value comes before an exception, if there is [combine]. *)
let after_failure () =
  let race ?combine () =
    let a = Promise.create () in
    Scope.first ?combine
      [ begins a (when_cancelled (fun () -> 2)); last [ a ] (fun () -> raise Chan.Closed) ]
  in
  Alcotest.(check int) "the value" 2 (race ~combine:( + ) ());
  Alcotest.check_raises "the first" Chan.Closed (fun () -> ignore (race () : int));
  Failing.check 3 (fun () -> Scope.first ~combine:( + ) [ never; (fun () -> Failing.raise_here 3) ]);
  Failing.check 3 (fun () -> Scope.any ~combine:( + ) [ (fun () -> Failing.raise_here 3) ])

(* The caller is cancelled when one has returned. *)
let caller_cancelled { race } () =
  let found = ref 0 in
  let cancel_and_return s () =
    Scope.cancel s Stop;
    7
  in
  Alcotest.check_raises "cancelled" Stop (fun () ->
      Scope.run (fun s -> found := race [ cancel_and_return s; never ]));
  Alcotest.(check int) "the result" 7 !found

(* What losers raise *)

let reports () =
  let reported = ref [] in
  let check what expected f =
    reported := [];
    Promise.on_unawaited_failure (fun e _ -> reported := Printexc.to_string e :: !reported);
    run ~domains:1 f;
    Alcotest.(check (list string)) what expected !reported
  in
  let lost ?combine ~won exn () =
    let a = Promise.create () in
    let loser = begins a (when_cancelled (fun () -> raise exn)) in
    try Scope.first ?combine [ loser; last [ a ] won ] with Exit -> ()
  in
  check "cancelled" [] (lost ~won:ignore (Cancelled Stop));
  check "a channel is closed" [] (lost ~won:ignore Chan.Closed);
  check "a limit of time" [] (lost ~won:ignore Scope.Timeout);
  check "something else" [ "Stdlib.Exit" ] (lost ~won:ignore Exit);
  check "as the winner" [] (lost ~won:(fun () -> raise Exit) Exit);
  check "unlike the winner" [ "Not_found" ] (lost ~won:(fun () -> raise Exit) Not_found);
  check "a value comes before it" [ "Stdlib.Exit" ] (fun () ->
      let a = Promise.create () in
      let fails () = raise Exit in
      Scope.first ~combine:(fun () () -> ()) [ begins a (when_cancelled ignore); last [ a ] fails ])

(* Nothing is lost *)

let n = 5_000

(* Some come one by one, others together. *)
let feed c numbers =
  List.iter
    (fun i ->
      Chan.send c i;
      if i mod 8 = 0 then sleep 2e-5)
    numbers;
  Chan.close c

(* Messages race with each other, and with a pause if there is one [beside]. *)
let messages { race } channels ~beside () =
  let random = Random.State.make [| channels |] in
  let all = List.init channels (fun k -> (k, Chan.unbounded ())) in
  let start (k, c) = async (fun () -> feed c (List.init n (fun i -> (i * channels) + k))) in
  let feeders = List.map start all in
  let recv (k, c) () =
    match Chan.recv c with v -> [ (k, Some v) ] | exception Chan.Closed -> [ (k, None) ]
  and pause () =
    sleep (Random.State.float random 4e-5);
    []
  in
  let rec seen found = function
    | [] -> found
    | still_open ->
        let racers = List.map recv still_open in
        let received = race ~combine:( @ ) (if beside then pause :: racers else racers) in
        let is_closed (k, _) = List.mem (k, None) received in
        seen
          (List.filter_map snd received @ found)
          (List.filter (fun c -> not (is_closed c)) still_open)
  in
  let found = seen [] all in
  List.iter await feeders;
  Alcotest.(check int) "seen" (n * channels) (List.length (List.sort_uniq Int.compare found))

let permits { race } () =
  let random = Random.State.make [| 1 |] in
  let s = Semaphore.create 1 in
  for _ = 1 to 1_000 do
    let acquire () =
      Semaphore.acquire s;
      1
    and pause () =
      sleep (Random.State.float random 2e-5);
      0
    in
    let acquired = race ~combine:( + ) [ acquire; pause; acquire ] in
    if acquired > 0 then Semaphore.release ~n:acquired s;
    Alcotest.(check int) "free" 1 (Semaphore.free s)
  done

let () =
  Alcotest.run "unit race"
    [
      ("combine", both_races "all that return" combines @ both_races "one only" alone);
      ("failures", on_each "a value comes first" after_failure);
      ("cancelled", both_races "its caller" caller_cancelled);
      ("losers", [ Watchdog.case "reports" reports ]);
      ( "nothing is lost",
        both_races "messages and pauses" (fun race -> messages race 1 ~beside:true)
        @ both_races "messages of two" (fun race -> messages race 2 ~beside:false)
        @ both_races "messages of three, and pauses" (fun race -> messages race 3 ~beside:true)
        @ both_races "permits" permits );
    ]
