(* Numbers that are larger than those which readers of runtime events get. *)

module E = Runtime_events

(* What has been heard as [event] since the last look. *)
let hear cursor event =
  let heard = Dynarray.create () in
  let add _ _ e n = if E.User.name e = E.User.name event then Dynarray.add_last heard n in
  ignore (E.read_poll cursor E.Callbacks.(add_user_event E.Type.int add (create ())) None : int);
  Dynarray.to_list heard

let listen () =
  E.start ();
  E.create_cursor None

let times () =
  let cursor = listen () in
  let check time =
    Events.tell_time Events.unserved time;
    let parts = hear cursor Events.unserved in
    Alcotest.(check bool) "none is negative" true (List.for_all (fun n -> n >= 0) parts);
    Alcotest.(check int) "together" time (List.fold_left ( + ) 0 parts);
    Alcotest.(check int) "how many" (1 + (Int.max 0 (time - 1) / 0x7fff_ffff)) (List.length parts)
  in
  List.iter check [ 0; 1; 0x7fff_ffff; 0x8000_0000; 0xffff_ffff; 5_000_000_000 ]

(* Of two workers, when the numbers are about to begin again. *)
let waits () =
  let cursor = listen () in
  Atomic.set Events.taken (Events.largest + 1 - 64);
  let rec begin_waits n latest other =
    if n > 0 then begin
      let wait = Events.wait_after latest in
      Events.tell Events.suspend wait;
      begin_waits (n - 1) other wait
    end
  in
  begin_waits 500 (-1) (-1);
  let heard = hear cursor Events.suspend in
  Alcotest.(check bool) "none is negative" true (List.for_all (fun n -> n >= 0) heard);
  Alcotest.(check int) "they differ" 500 (List.length (List.sort_uniq Int.compare heard))

let () =
  let test name f = Alcotest.test_case name `Quick f in
  Alcotest.run "events" [ ("numbers", [ test "long times" times; test "many waits" waits ]) ]
