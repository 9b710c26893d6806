(* Tasks that wait: for each other, for foreign threads, and for work to come. *)

open Test_support
open Drover
open Stdlib

(* At every fork of the tree the left side needs the right one. *)
let rec left_needs_right depth =
  if depth = 0 then 1
  else
    let p, r = Promise.create () in
    let left () =
      let n = left_needs_right (depth - 1) in
      n + await p
    and right () =
      Promise.fulfil r (left_needs_right (depth - 1));
      0
    in
    let a, b = both left right in
    a + b

let needs domains () =
  let leaves = run ~domains (fun () -> left_needs_right 14) in
  Alcotest.(check int) "leaves" (1 lsl 14) leaves

(* Two sides that hand a token to and fro: each step suspends one and resumes the other. *)
let ping_pong domains () =
  let rounds = 20_000 in
  run ~domains (fun () ->
      let steps = Array.init ((2 * rounds) + 1) (fun _ -> Promise.create ()) in
      let side first () =
        for round = 0 to rounds - 1 do
          let step = (2 * round) + first in
          await (fst steps.(step));
          Promise.fulfil (snd steps.(step + 1)) ()
        done
      in
      Promise.fulfil (snd steps.(0)) ();
      ignore (both (side 0) (side 1) : unit * unit);
      Alcotest.(check bool) "the last step" true (Promise.is_settled (fst steps.(2 * rounds))))

(* Each task waits for a promise of its own, that one of four strangers fulfils. *)
let foreign start domains () =
  let n = 40_000 and strangers = 4 in
  let promises = Array.init n (fun _ -> Promise.create ()) in
  let stranger k () =
    for i = 0 to n - 1 do
      if i mod strangers = k then Promise.fulfil (snd promises.(i)) i
    done
  in
  let joins = List.init strangers (fun k -> start (stranger k)) in
  let sum =
    run ~domains (fun () ->
        parallel_reduce ~grain:1 ~start:0 ~finish:(n - 1) ~init:0 ~combine:( + ) (fun i ->
            await (fst promises.(i))))
  in
  List.iter (fun join -> join ()) joins;
  Alcotest.(check int) "sum" (n * (n - 1) / 2) sum

(* The pool falls asleep between any two submissions, at every stage of its falling asleep. *)
let wake_up domains () =
  let p = Pool.create ~domains () in
  for i = 1 to 20_000 do
    for _ = 1 to i * 7919 mod 3000 do
      Domain.cpu_relax ()
    done;
    Stranger.expect "result" i (Pool.run p (fun () -> await (async (fun () -> i))))
  done;
  Pool.close p

(* A resumption must wake a pool that is all asleep. *)
let wake_by_promise domains () =
  let p = Pool.create ~domains () in
  let rounds = 3000 in
  let mailbox = Array.init rounds (fun _ -> Promise.create ()) in
  let send () =
    Array.iteri
      (fun i (_, r) ->
        for _ = 1 to i * 7919 mod 3000 do
          Domain.cpu_relax ()
        done;
        Promise.fulfil r i)
      mailbox
  in
  let join = Stranger.domain send in
  Pool.run p (fun () -> Array.iteri (fun i (m, _) -> Stranger.expect "letter" i (await m)) mailbox);
  join ();
  Pool.close p

(* The token-passing above, while the other workers have nothing to do and fall asleep. *)
let handing_over_when_idle () =
  let p = Pool.create ~domains:4 () in
  Pool.run p (fun () ->
      for i = 1 to 20_000 do
        let q, r = Promise.create () in
        let a, () = both (fun () -> await q) (fun () -> Promise.fulfil r i) in
        Stranger.expect "token" i a
      done);
  Pool.close p

(* A task that lies there gets its turn, though its workers always have younger ones. *)
let no_starvation domains () =
  run ~domains (fun () ->
      let flag = Atomic.make false in
      let feed _ =
        async (fun () ->
            while not (Atomic.get flag) do
              await (async ignore)
            done)
      in
      let old = async (fun () -> Atomic.set flag true) in
      List.iter await (List.init (2 * domains) feed);
      await old)

let () =
  let on domains name test =
    List.map
      (fun n -> Watchdog.case ~seconds:300. (Printf.sprintf "%s, %d domains" name n) (test n))
      domains
  in
  Alcotest.run "stress waiting"
    [
      ("for each other", on [ 1; 2; 8 ] "tree" needs @ on [ 1; 2; 8 ] "ping-pong" ping_pong);
      ( "for strangers",
        on [ 1; 2; 8 ] "systhreads" (foreign Stranger.thread)
        @ on [ 1; 2; 8 ] "domains" (foreign Stranger.domain) );
      ( "for work",
        on [ 1; 2; 4 ] "a submission" wake_up
        @ on [ 1; 2; 4 ] "a promise" wake_by_promise
        @ on [ 1; 2 ] "their turn" no_starvation
        @ [ Watchdog.case ~seconds:300. "a token" handing_over_when_idle ] );
    ]
