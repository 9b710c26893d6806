(* The inbox: every item is taken once, and those of one adder oldest first. *)

let in_order items =
  (* An adder's items grow; those of different adders differ in their parity. *)
  List.iter
    (fun parity ->
      let own = List.filter (fun x -> x land 1 = parity) items in
      Alcotest.(check (list int)) "oldest first" (List.sort compare own) own)
    [ 0; 1 ]

let model ~adders ~takers () =
  let b = Inbox.create ~nil:(-1) in
  let add items () = List.iter (Inbox.add b) items in
  let hauls = List.init takers (fun _ -> ref []) in
  let take haul () =
    let first = Inbox.take b in
    let second = Inbox.take b in
    haul := List.filter (fun x -> x >= 0) [ first; second ]
  in
  let rec take_all () =
    if Inbox.is_empty b then []
    else
      let x = Inbox.take b in
      x :: take_all ()
  in
  let finally () =
    let left = take_all () in
    Alcotest.(check bool) "empty" true (Inbox.is_empty b);
    List.iter (fun haul -> in_order !haul) hauls;
    in_order left;
    let n = List.length (List.concat adders) in
    Explore.each_once n (left @ List.concat_map ( ! ) hauls)
  in
  (List.map add adders @ List.map take hauls, finally)

let () =
  Alcotest.run "model inbox"
    [
      ( "inbox",
        [
          Explore.case "two adders, one taker" (model ~adders:[ [ 1; 3 ]; [ 2 ] ] ~takers:1);
          Explore.case "one adder, two takers" (model ~adders:[ [ 1; 2 ] ] ~takers:2);
          Explore.case "two adders, two takers" (model ~adders:[ [ 1 ]; [ 2 ] ] ~takers:2);
        ] );
    ]
