(* The batch queue: one server at a time, each item served once, and none left when all is over. *)

(* What the last server leaves is served by a task, for which stands whoever sees [leave] say so. *)
let rec serve q ~max ~serving ~served =
  if Batch_queue.enter q then begin
    Alcotest.(check bool) "one server" false !serving;
    serving := true;
    let items = Batch_queue.take q ~max in
    Alcotest.(check bool) "a batch's size" true (items <> [] && List.length items <= max);
    served := List.rev_append items !served;
    serving := false;
    if Batch_queue.leave q then serve q ~max ~serving ~served
  end

let model ~max submitters () =
  let q = Batch_queue.create () in
  let serving = ref false and served = ref [] in
  let submit x =
    if Batch_queue.enter_or_add q x then begin
      Alcotest.(check bool) "one server" false !serving;
      served := x :: !served;
      if Batch_queue.leave q then serve q ~max ~serving ~served
    end
  in
  let finally () =
    Alcotest.(check bool) "at rest" true (Batch_queue.enter_if_empty q);
    Explore.each_once (List.length (List.concat submitters)) !served;
    let own_order items = List.filter (fun x -> List.mem x items) (List.rev !served) in
    List.iter
      (fun items -> Alcotest.(check (list int)) "first come, first served" items (own_order items))
      submitters
  in
  (List.map (fun items () -> List.iter submit items) submitters, finally)

let () =
  Alcotest.run "model batch queue"
    [
      ( "submitters",
        [
          Explore.case "two" (model ~max:9 [ [ 1 ]; [ 2 ] ]);
          Explore.case "two, one of them twice" (model ~max:9 [ [ 1; 2 ]; [ 3 ] ]);
          Explore.case "two, each twice" (model ~max:9 [ [ 1; 2 ]; [ 3; 4 ] ]);
          Explore.case "three" (model ~max:9 [ [ 1 ]; [ 2 ]; [ 3 ] ]);
          Explore.case "three, batches of one" (model ~max:1 [ [ 1 ]; [ 2 ]; [ 3 ] ]);
        ] );
    ]
