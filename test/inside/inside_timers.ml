(* Timers: each is called once, when it is due, or never, as it was cancelled; whoever set it, and whoever serves. *)

open Drover_engine

let ints = Alcotest.(list int)

(* At times that no server waits for: nobody but the test serves them. *)
let far = 1e12

let each_at_its_time () =
  let called = ref [] in
  let set i = Timers.add (far +. float (i mod 3)) (fun () -> called := i :: !called) in
  let timers = List.init 9 set in
  Alcotest.(check (float 0.)) "the next" far (Timers.next ());
  List.iteri (fun i t -> if i mod 2 = 1 then Timers.cancel t) timers;
  Timers.serve (far -. 1.);
  Alcotest.check ints "none is due" [] !called;
  Timers.serve far;
  Alcotest.check ints "those at one time, in order" [ 0; 6 ] (List.rev !called);
  Timers.serve (far +. 5.);
  Alcotest.check ints "all that were not cancelled" [ 0; 6; 4; 2; 8 ] (List.rev !called);
  List.iter Timers.cancel timers;
  Alcotest.(check bool) "none is left" true (Timers.next () = infinity);
  Alcotest.(check bool) "nor noted" false (Timers.is_any ())

(* Some domains set timers, and cancel others' while one serves. *)
let from_all () =
  let domains = 4 and each = 1_000 in
  let calls = Array.init (domains * each) (fun _ -> Atomic.make 0) in
  let left = Atomic.make domains and given = Atomic.make [] in
  let rec give t =
    let before = Atomic.get given in
    if not (Atomic.compare_and_set given before (t :: before)) then give t
  in
  let set d () =
    for i = d * each to ((d + 1) * each) - 1 do
      let t = Timers.add (far +. float (i mod 7)) (fun () -> Atomic.incr calls.(i)) in
      if i mod 3 = 0 then give (i, t);
      List.iter (fun (_, t) -> Timers.cancel t) (Atomic.exchange given [])
    done;
    Atomic.decr left
  in
  let domains = List.init domains (fun d -> Domain.spawn (set d)) in
  while Atomic.get left > 0 do
    Timers.serve (far +. 3.)
  done;
  List.iter Domain.join domains;
  Timers.serve (far +. 9.);
  let check i calls =
    let calls = Atomic.get calls in
    if calls <> 1 && (calls > 1 || i mod 3 > 0) then
      Alcotest.failf "timer %d was called %d times" i calls
  in
  Array.iteri check calls;
  Alcotest.(check bool) "none is left" true (Timers.next () = infinity)

let () =
  let case name f = Alcotest.test_case name `Quick f in
  Alcotest.run "inside timers"
    [ ("timers", [ case "each at its time" each_at_its_time; case "of many domains" from_all ]) ]
