(* Tables by where blocks lie: they follow them, and forget those that are gone. *)

open Drover_race

let make i = Address.block (ref i)
let value t b = Blocks.find_or_add t b (fun () -> Alcotest.fail "it is not found")

let add t i =
  let b = make i in
  ignore (Blocks.find_or_add t b (fun () -> i) : int);
  b

(* While minor collections move them, and the table grows. *)
let follows () =
  let t = Blocks.create (-1) in
  let blocks = Array.init 100_000 (add t) in
  Array.iteri (fun i b -> Alcotest.(check int) "the value" i (value t b)) blocks;
  Alcotest.(check int) "count" 100_000 (Blocks.count t)

let keeps_live () =
  let t = Blocks.create (-1) in
  let kept =
    Array.init 1000 (fun i ->
        if i mod 10 = 0 then add t i
        else
          make
            (ignore (add t i);
             i))
  in
  Blocks.keep_live t ignore;
  Alcotest.(check int) "count" 100 (Blocks.count t);
  Array.iteri (fun i b -> if i mod 10 = 0 then Alcotest.(check int) "the value" i (value t b)) kept

(* Tasks that nobody awaits: what they accessed is forgotten when it is gone. *)
let server () =
  let words () =
    Gc.full_major ();
    (Gc.stat ()).live_words
  in
  let site = (Tell.sites ~file:"server" [| (1, 0, "request") |]).(0) in
  let requests n =
    for i = 1 to n do
      ignore
        (Drover.async (fun () -> Tell.write_ref site (Sys.opaque_identity (ref 0)))
          : unit Drover.Promise.t);
      (* All have run by then. *)
      if i mod 1000 = 0 then Drover.sleep 0.0001
    done
  in
  Drover.run (fun () ->
      requests 300_000;
      let before = words () in
      requests 1_000_000;
      let grown = words () - before in
      if grown > 3_000_000 then Alcotest.failf "it has grown by %d words" grown)

let () =
  let case name test = Alcotest.test_case name `Quick test in
  Alcotest.run "blocks"
    [
      ("blocks", [ case "that move" follows; case "that are gone" keeps_live ]);
      ("a server", [ case "does not grow" server ]);
    ]
