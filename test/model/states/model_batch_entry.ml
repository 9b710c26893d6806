(* An entry of a batched object: its submitter waits, or learns that it was served, and goes on once. *)

let published () =
  Worker.current := Some (Worker.create (Token.root ignore));
  let entry = Batch_entry.create 0 in
  let is_applied = ref false and returns = ref 0 in
  let submit () =
    Batch_entry.wait entry;
    Alcotest.(check bool) "applied" true !is_applied;
    incr returns
  and serve () =
    is_applied := true;
    Batch_entry.publish entry
  in
  let finally () = Alcotest.(check int) "goes on" 1 !returns in
  ([ Task.process submit; serve ], finally)

let () =
  Alcotest.run "model batch entry" [ ("entry", [ Explore.case "submit, publish" published ]) ]
