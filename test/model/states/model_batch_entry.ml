(* An entry of a batched object: its submitter waits, or learns that it was served, and is woken once. *)

(* Whoever publishes may do so again. *)
let published ~times () =
  let entry = Batch_entry.create 0 ~since:0. in
  let waiter = Waiter.of_thread () in
  let sleeps = ref false and served = ref false and woken = ref None in
  let submit () =
    if Batch_entry.is_served entry then served := true
    else if Batch_entry.wait_on entry waiter then sleeps := true
    else served := Batch_entry.is_served entry
  and serve () =
    for _ = 1 to times do
      Batch_entry.publish entry
    done;
    woken := Batch_entry.to_wake entry
  in
  let finally () =
    Alcotest.(check bool) "served" true (Batch_entry.is_served entry);
    Alcotest.(check bool) "sleeps, or knows that it was served" true (!sleeps <> !served);
    Alcotest.(check bool) "is woken if it sleeps" !sleeps (Option.is_some !woken)
  in
  ([ submit; serve ], finally)

let () =
  Alcotest.run "model batch entry"
    [
      ( "entry",
        [
          Explore.case "submit, publish" (published ~times:1);
          Explore.case "submit, publish again" (published ~times:2);
        ] );
    ]
