(* Numbers that are larger than those which readers of runtime events get. *)

module E = Runtime_events

(* What has been heard as [event] since the last look. *)
let hear cursor event =
  let heard = Dynarray.create () in
  let add _ _ e n = if E.User.name e = E.User.name event then Dynarray.add_last heard n in
  ignore (E.read_poll cursor E.Callbacks.(add_user_event E.Type.int add (create ())) None : int);
  Dynarray.to_list heard

let times () =
  E.start ();
  let cursor = E.create_cursor None in
  let check time =
    Events.tell_time Events.batch_run time;
    let parts = hear cursor Events.batch_run in
    Alcotest.(check bool) "none is negative" true (List.for_all (fun n -> n >= 0) parts);
    Alcotest.(check int) "together" time (List.fold_left ( + ) 0 parts);
    Alcotest.(check int) "how many" (1 + (Int.max 0 (time - 1) / 0x7fff_ffff)) (List.length parts)
  in
  List.iter check [ 0; 1; 0x7fff_ffff; 0x8000_0000; 0xffff_ffff; 5_000_000_000 ]

let () = Alcotest.run "events" [ ("numbers", [ Alcotest.test_case "long times" `Quick times ]) ]
