(* Pieces: who gets which items. *)

open Test_support

let all_taken shares n =
  let pieces = Pieces.create (Array.init n Fun.id) in
  let rec take turn sizes items =
    match Pieces.take pieces ~share:shares.(turn mod Array.length shares) with
    | [||] -> (List.rev sizes, List.concat (List.rev items))
    | piece -> take (turn + 1) (Array.length piece :: sizes) (Array.to_list piece :: items)
  in
  take 0 [] []

let once shares n () =
  let _, items = all_taken shares n in
  Alcotest.(check (list int)) "each item once, in order" (List.init n Fun.id) items

let shrink () =
  let sizes, _ = all_taken [| 0.5; 0.5 |] 2000 in
  Alcotest.(check int) "the first" 500 (List.hd sizes);
  Alcotest.(check bool) "never larger" true (List.sort (Fun.flip compare) sizes = sizes);
  Alcotest.(check bool) "few" true (List.length sizes < 30);
  Alcotest.(check int) "the last" 1 (List.nth sizes (List.length sizes - 1))

let shares () =
  let pieces = Pieces.create (Array.init 1000 Fun.id) in
  Alcotest.(check int) "three quarters" 375 (Array.length (Pieces.take pieces ~share:0.75));
  Alcotest.(check int) "a quarter" 79 (Array.length (Pieces.take pieces ~share:0.25))

let back () =
  let pieces = Pieces.create (Array.init 10 Fun.id) in
  let first = Pieces.take pieces ~share:1. in
  Pieces.give_back pieces (Array.to_list first);
  Alcotest.(check int) "all are left" 10 (Pieces.left pieces);
  Alcotest.(check (array int)) "alone, and first" [| 0 |] (Pieces.take pieces ~share:1.);
  Alcotest.(check (array int)) "the next" [| 1 |] (Pieces.take pieces ~share:1.)

let () =
  Alcotest.run "pieces"
    [
      ( "pieces",
        [
          Watchdog.case "of no items" (once [| 1. |] 0);
          Watchdog.case "of one item" (once [| 0.5; 0.5 |] 1);
          Watchdog.case "of many" (once [| 0.5; 0.3; 0.2 |] 10_000);
          Watchdog.case "shrink" shrink;
          Watchdog.case "follow the shares" shares;
          Watchdog.case "what comes back goes first" back;
        ] );
    ]
