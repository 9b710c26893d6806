(* Runs of memo tables that wait for each other: of those that close a circle, one is told at least, whatever
   others do meanwhile; and nobody else. *)

(* Each of [waits] is a process: a run, and the one that it is to wait for. Those of [circle] close one. *)
let told ~runs ~waits ~circle () =
  let runs = runs () and order = Memo_runs.order () in
  let told = Array.make (List.length waits) false in
  let wait i (waiter, run) () =
    let waiter = runs.(waiter) and run = runs.(run) in
    Memo_runs.note waiter run;
    if Memo_runs.closes_circle order waiter run then begin
      told.(i) <- true;
      Memo_runs.forget waiter run
    end
  in
  let finally () =
    let is_told i = told.(i) in
    let others =
      List.filter (fun i -> not (List.mem i circle)) (List.init (Array.length told) Fun.id)
    in
    Alcotest.(check bool) "told" (circle <> []) (List.exists is_told circle);
    Alcotest.(check bool) "told of none" false (List.exists is_told others)
  in
  (List.mapi wait waits, finally)

(* [computed_for.(i)] is which of those before the [i]-th is computed for, or -1. *)
let runs computed_for () =
  let runs = Array.map (fun _ -> Memo_runs.create None ~hash:0) computed_for in
  let create i above =
    let above = if above < 0 then None else Some runs.(above) in
    runs.(i) <- Memo_runs.create above ~hash:i
  in
  Array.iteri create computed_for;
  runs

let roots n = runs (Array.make n (-1))

let () =
  let case name runs waits circle = Explore.case name (told ~runs ~waits ~circle) in
  Alcotest.run "model memo"
    [
      ( "circles",
        [
          case "of one" (roots 1) [ (0, 0) ] [ 0 ];
          case "of two" (roots 2) [ (0, 1); (1, 0) ] [ 0; 1 ];
          case "by one that is computed on the way"
            (runs [| -1; 0; 1; -1 |])
            [ (2, 3); (3, 0) ]
            [ 0; 1 ];
          case "from far below" (runs [| -1; 0; 1; -1 |]) [ (2, 3); (3, 1) ] [ 0; 1 ];
          case "of both sides" (runs [| -1; -1; 0; 1 |]) [ (2, 1); (3, 0) ] [ 0; 1 ];
          case "and another that waits" (roots 3) [ (0, 1); (1, 0); (2, 0) ] [ 0; 1 ];
        ] );
      ( "none",
        [
          case "two in a row" (roots 3) [ (0, 1); (1, 2) ] [];
          case "one that is computed on the way" (runs [| -1; 0; -1 |]) [ (0, 2); (1, 2) ] [];
        ] );
    ]
