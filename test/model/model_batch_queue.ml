(* The batch queue: one server at a time, each item served once, and none left when all is over. *)

(* What the last server leaves is served by a task, for which stands whoever sees [leave] say so. *)
let rec serve q ~max ~serving ~served =
  if Batch_queue.serve_left q ~most:max_int then begin
    Alcotest.(check bool) "one server" false !serving;
    serving := true;
    let items = Batch_queue.take q ~max in
    let n = Array.length items in
    Alcotest.(check bool) "a batch's size" true (n > 0 && n <= max);
    served := List.rev_append (Array.to_list items) !served;
    Batch_queue.end_batch q;
    serving := false;
    if Batch_queue.stop_serving q > 0 then serve q ~max ~serving ~served
  end

let model ~max submitters () =
  let q = Batch_queue.create () in
  let serving = ref false and served = ref [] in
  let rec submit x =
    if Batch_queue.serve_if_free q then begin
      Alcotest.(check bool) "one server" false !serving;
      served := x :: !served;
      if Batch_queue.stop_serving q > 0 then serve q ~max ~serving ~served
    end
    else if not (Batch_queue.add q x) then submit x
  in
  let finally () =
    Alcotest.(check bool) "at rest" true (Batch_queue.serve_if_free q);
    Explore.each_once (List.length (List.concat submitters)) !served;
    let own_order items = List.filter (fun x -> List.mem x items) (List.rev !served) in
    List.iter
      (fun items -> Alcotest.(check (list int)) "first come, first served" items (own_order items))
      submitters
  in
  (List.map (fun items () -> List.iter submit items) submitters, finally)

(* Nobody serves before enough are queued: a submitter then sees that. *)
let put_off () =
  let q = Batch_queue.create () in
  Alcotest.(check bool) "serves" true (Batch_queue.serve_if_free q);
  Alcotest.(check bool) "busy" true (Batch_queue.add q 0);
  Alcotest.(check int) "left" 1 (Batch_queue.stop_serving q);
  let seen = Atomic.make 0 in
  let submit x () =
    Alcotest.(check bool) "queued" true (Batch_queue.add q x);
    if Batch_queue.left q >= 3 then Atomic.incr seen
  in
  let finally () =
    Alcotest.(check bool) "seen" true (Atomic.get seen >= 1);
    Alcotest.(check bool) "too many" false (Batch_queue.serve_left q ~most:2);
    Alcotest.(check bool) "not too many" true (Batch_queue.serve_left q ~most:3);
    let first = Batch_queue.take q ~max:2 in
    Batch_queue.end_batch q;
    let rest = Batch_queue.take q ~max:2 in
    Alcotest.(check bool) "the batch in hand" true (Batch_queue.take q ~max:2 == rest);
    Batch_queue.end_batch q;
    Alcotest.(check (list int))
      "all" [ 0; 1; 2 ]
      (List.sort compare (Array.to_list first @ Array.to_list rest));
    Alcotest.(check int) "none left" 0 (Batch_queue.stop_serving q)
  in
  ([ submit 1; submit 2 ], finally)

let () =
  Alcotest.run "model batch queue"
    [
      ( "submitters",
        [
          Explore.case "two" (model ~max:9 [ [ 1 ]; [ 2 ] ]);
          Explore.case "two, one of them twice" (model ~max:9 [ [ 1; 2 ]; [ 3 ] ]);
          Explore.case "two, one of them twice, batches of one" (model ~max:1 [ [ 1; 2 ]; [ 3 ] ]);
          Explore.case "three" (model ~max:9 [ [ 1 ]; [ 2 ]; [ 3 ] ]);
          Explore.case "nobody serves" put_off;
        ] );
    ]
