(* Arrays of young values: the same as the standard ones, without their minor collections. *)

open Test_support

let sizes = [ 0; 1; 2; 255; 256; 257; 511; 512; 513; 10_000 ]
let numbers n = Array.init n Fun.id

let same_as_stdlib () =
  let check n =
    let name = Printf.sprintf "%d" n in
    Alcotest.(check (array int))
      ("map " ^ name)
      (Array.map succ (numbers n))
      (Young.map succ (numbers n));
    Alcotest.(check (array int))
      ("of_list " ^ name) (numbers n)
      (Young.of_list n (Array.to_list (numbers n)))
  in
  List.iter check sizes;
  Alcotest.(check (array int)) "the first" [| 0; 1 |] (Young.of_list 2 [ 0; 1; 2 ])

let in_order () =
  let calls = ref [] in
  ignore (Young.map (fun i -> calls := i :: !calls) (numbers 1000) : unit array);
  Alcotest.(check (list int)) "from left to right" (List.init 1000 Fun.id) (List.rev !calls)

let rounds = 50

(* How often the collector runs while [f] maps many arrays. The minor heap has room for each. *)
let collections map =
  let before = (Gc.quick_stat ()).minor_collections in
  for _ = 1 to rounds do
    ignore (Sys.opaque_identity (map ref (numbers 1000)))
  done;
  (Gc.quick_stat ()).minor_collections - before

let makes_no_collection () =
  let stdlib = collections Array.map and ours = collections Young.map in
  Alcotest.(check bool) (Printf.sprintf "one an array (%d)" stdlib) true (stdlib >= rounds);
  Alcotest.(check bool) (Printf.sprintf "less (%d)" ours) true (ours < rounds / 2)

let () =
  Alcotest.run "unit young"
    [
      ( "young",
        [
          Watchdog.case "the same as Stdlib's" same_as_stdlib;
          Watchdog.case "from left to right" in_order;
          Watchdog.case "no minor collection" makes_no_collection;
        ] );
    ]
