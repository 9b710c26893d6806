(* Drover.Array: misuse, exceptions with their backtraces, cost, and randomness. *)

open Test_support
module A = Drover.Array

let misuse () =
  let lengths = [ -1; max_int; (max_int / 2) + 1 ] in
  List.iter
    (fun n ->
      Failing.misuse "Drover.Array.init:" (fun () -> A.init n Fun.id);
      Failing.misuse "Drover.Array.histogram:" (fun () -> A.histogram ~bins:n Fun.id [||]);
      Failing.misuse "Drover.Float_array.init:" (fun () -> Drover.Float_array.init n float);
      Failing.misuse "Drover.Bitset.create:" (fun () -> Drover.Bitset.create n);
      Failing.misuse "Drover.Rng.init:" (fun () ->
          Drover.Rng.init (Random.State.make [||]) n (fun _ i -> i)))
    lengths;
  Failing.misuse "Drover.Array.map2:" (fun () -> A.map2 ( + ) [| 1 |] [||]);
  Failing.misuse "Drover.Array.zip:" (fun () -> A.zip [| 1 |] [||]);
  Failing.misuse "Drover.Array.fill:" (fun () -> A.fill [| 1 |] 1 1 0);
  Failing.misuse "Drover.Array.blit:" (fun () -> A.blit [| 1 |] 0 [| 1 |] 0 2);
  Failing.misuse "Drover.Array.sub:" (fun () -> A.sub [| 1 |] 0 (-1));
  List.iter
    (fun i ->
      let s = Drover.Bitset.create 40 in
      Failing.misuse "Drover.Bitset.add:" (fun () -> Drover.Bitset.add s i);
      Failing.misuse "Drover.Bitset.remove:" (fun () -> Drover.Bitset.remove s i);
      Failing.misuse "Drover.Bitset.mem:" (fun () -> Drover.Bitset.mem s i))
    [ -1; 40; 63; max_int; min_int ];
  Failing.misuse "Drover.Array.kth_smallest:" (fun () -> A.kth_smallest compare 1 [| 1 |]);
  Failing.misuse "Drover.Array.histogram:" (fun () -> A.histogram ~bins:2 Fun.id [| 2 |]);
  Failing.misuse "Drover.Array.histogram:" (fun () -> A.histogram ~bins:2 Fun.id [| -1 |])

(* No elements, and nothing to count them in. *)
let nothing () =
  Alcotest.(check (array int)) "no bins" [||] (A.histogram ~bins:0 Fun.id [||]);
  Alcotest.(check (array int)) "no elements" [| 0; 0 |] (A.histogram ~bins:2 Fun.id [||]);
  Failing.misuse "Drover.Array.histogram:" (fun () -> A.histogram ~bins:0 Fun.id [| 0 |])

(* Stdlib's parts of no floats are not equal to [[||]], whatever is given, ours are. *)
let no_floats () =
  let some = [| 1.; 2. |] in
  let none = Array.sub some 0 0 and no _ = false and cmp = Float.compare in
  let check name result = Alcotest.(check bool) name true (result = [||]) in
  check "sub" (A.sub some 1 0);
  check "filter" (A.filter no some);
  check "partition" (fst (A.partition no some));
  check "filter_map" (A.filter_map (fun _ : float option -> None) some);
  check "concat_map" (A.concat_map (fun _ -> none) some);
  check "collect" (A.collect (fun (_ : float) (_ : float -> unit) -> ()) some);
  check "of_seq" (A.of_seq (Seq.filter no (Array.to_seq some)));
  check "delayed" Drover.Delayed.(to_array (filter no (of_array some)));
  let same =
    [
      ("sub", fun a -> A.sub a 0 0);
      ("copy", A.copy);
      ("concat", fun a -> A.concat [ a; a ]);
      ("init", fun a -> A.init (A.length a) (A.get a));
      ("map", A.map Fun.id);
      ("mapi", A.mapi (fun _ x -> x));
      ("map2", fun a -> A.map2 ( +. ) a a);
      ("rev", A.rev);
      ("filter", A.filter (fun _ -> true));
      ("dedup", A.dedup ( = ));
      ("scan", A.scan ~init:0. ~combine:( +. ));
      ("scan_exclusive", fun a -> fst (A.scan_exclusive ~init:0. ~combine:( +. ) a));
      ("scan_floats", A.scan_floats);
      ("merge", fun a -> A.merge cmp a a);
      ("shuffle", A.shuffle ~seed:1);
      ("delayed", fun a -> Drover.Delayed.(to_array (of_array a)));
    ]
  in
  List.iter (fun (name, f) -> check name (f none)) same

(* A length that no array could have. *)
let huge () =
  match
    Drover.Delayed.(reduce ~init:0 ~combine:(fun _ _ -> raise Exit) (tabulate max_int Fun.id))
  with
  | (_ : int) -> Alcotest.fail "no exception"
  | exception Exit -> ()

(* Each function that calls one of the user's, on an array of 10,000. *)
let calling : (string * ((int -> unit) -> unit)) list =
  let a = Array.init 10_000 Fun.id in
  let cmp tick x y =
    tick x;
    Int.compare x y
  in
  let after tick v x =
    tick x;
    v
  in
  [
    ("init", fun tick -> ignore (A.init 10_000 tick : unit array));
    ("map", fun tick -> ignore (A.map tick a : unit array));
    ("iter", fun tick -> A.iter tick a);
    ("iteri", fun tick -> A.iteri (fun i _ -> tick i) a);
    ("reduce", fun tick -> A.reduce ~init:() ~combine:(fun () () -> ()) tick a);
    ("count", fun tick -> ignore (A.count (after tick true) a : int));
    ("min_max", fun tick -> ignore (A.min_max (cmp tick) a : (int * int) option));
    ("exists", fun tick -> ignore (A.exists (after tick false) a : bool));
    ("filter", fun tick -> ignore (A.filter (after tick true) a : int array));
    ("filter_map", fun tick -> ignore (A.filter_map (after tick None) a : int array));
    ("concat_map", fun tick -> ignore (A.concat_map (after tick [||]) a : int array));
    ( "collect",
      fun tick ->
        let f x push =
          push x;
          tick x
        in
        ignore (A.collect f a : int array) );
    ("sort", fun tick -> A.sort (cmp tick) (Array.copy a));
    ("sort_by_key", fun tick -> A.sort_by_key (after tick 0) (Array.copy a));
    ("merge", fun tick -> ignore (A.merge (cmp tick) a a : int array));
    ("kth_smallest", fun tick -> ignore (A.kth_smallest (cmp tick) 5 a : int));
    ("histogram", fun tick -> ignore (A.histogram ~bins:1 (after tick 0) a : int array));
    ( "scan",
      fun tick ->
        ignore
          (A.scan ~init:0
             ~combine:(fun x y ->
               tick y;
               x)
             a
            : int array) );
    ("group_by", fun tick -> ignore (A.group_by (after tick 0) a : (int * int array) array));
    ( "count_by, hash",
      fun tick -> ignore (A.count_by ~hash:(after tick 0) Fun.id a : (int * int) array) );
    ( "distinct, equal",
      fun tick ->
        let equal x y =
          tick x;
          x = y
        in
        ignore (A.distinct ~hash:(fun x -> x land 3) ~equal a : int array) );
    ( "reduce_by, combine",
      fun tick ->
        let larger x y =
          tick x;
          tick y;
          Int.max x y
        in
        ignore (A.reduce_by ~combine:larger (fun _ -> ()) Fun.id a : (unit * int) array) );
    ("join_by", fun tick -> ignore (A.join_by (after tick 0) Fun.id a a : (int * int) array));
  ]

let failing =
  List.map
    (fun (name, call) ->
      Watchdog.case name (fun () ->
          List.iter
            (fun (place : Place.t) ->
              let tick x = if x = 5000 then Failing.raise_here 3 in
              Failing.check 3 (fun () -> place.call (fun () -> call tick)))
            [ List.hd Place.all; Place.task 1; Place.task 2 ]))
    calling

(* Words that this domain allocates; the loops and blocks take some. *)
let words f =
  ignore (Sys.opaque_identity (f ()));
  let before = Gc.minor_words () in
  ignore (Sys.opaque_identity (f ()));
  Gc.minor_words () -. before

let no_box () =
  let n = 200_000 in
  let floats = Array.init n Float.of_int and ints = Array.init n Fun.id in
  let little name f =
    let words = words f in
    if words > Float.of_int n /. 2. then Alcotest.failf "%s allocates %.0f words" name words
  in
  Drover.run ~domains:1 (fun () ->
      little "sum_ints" (fun () -> A.sum_ints ints);
      little "sum_floats" (fun () -> A.sum_floats floats);
      little "scan_ints" (fun () -> A.scan_ints ints);
      little "scan_floats" (fun () -> A.scan_floats floats);
      little "reduce" (fun () -> A.reduce ~init:0 ~combine:( + ) Fun.id ints);
      little "count" (fun () -> A.count (fun x -> x > 5) ints);
      little "map" (fun () -> A.map succ ints);
      little "filter" (fun () -> A.filter (fun x -> x > 5) ints);
      little "sort_ints" (fun () -> A.sort_ints ints);
      little "sort_floats" (fun () -> A.sort_floats floats);
      little "sort" (fun () -> A.sort Int.compare ints))

(* Each element comes to each of three places about equally often. *)
let uniform () =
  let n = 20_000 in
  let thirds = Array.make_matrix 3 3 0 in
  Array.iteri
    (fun place x ->
      let row = thirds.(3 * x / n) in
      row.(3 * place / n) <- row.(3 * place / n) + 1)
    (A.shuffle ~seed:7 (Array.init n Fun.id));
  Array.iter
    (Array.iter (fun count ->
         if abs (count - (n / 9)) > n / 60 then Alcotest.failf "%d instead of about %d" count (n / 9)))
    thirds

let seeds () =
  let a = Array.init 100 Fun.id in
  Alcotest.(check bool) "other seed" false (A.shuffle ~seed:1 a = A.shuffle ~seed:2 a);
  Alcotest.(check (array int)) "untouched" (Array.init 100 Fun.id) a

(* Two workers that begin at once do not make an array each. *)
let one_result () =
  let n = 200_000 and times = 20 in
  let a = Array.init n Float.of_int in
  let major_words () =
    Gc.minor ();
    let s = Gc.quick_stat () in
    s.major_words -. s.promoted_words
  in
  Drover.run ~domains:2 (fun () ->
      let before = major_words () in
      for _ = 1 to times do
        ignore (Sys.opaque_identity (A.map (fun x -> x +. 1.) a))
      done;
      let arrays = (major_words () -. before) /. Float.of_int (n * times) in
      if arrays > 1.1 then Alcotest.failf "%.2f arrays for a result" arrays)

(* The first element waits for another: so others have the rest before the caller has made a result. *)
let begun_elsewhere domains n =
  Drover.run ~domains (fun () ->
      let c = Drover.Chan.bounded 1 in
      let double i =
        if i = 0 then Drover.Chan.recv c else if i = n - 1 then Drover.Chan.send c ();
        2 * i
      in
      let few = List.init n Fun.id in
      let doubled = List.map (fun i -> 2 * i) few in
      let is name result = Alcotest.(check (list int)) name doubled result in
      for _ = 1 to 100 do
        is "Array.map" (Array.to_list (A.map double (Array.of_list few)));
        is "Array.init" (Array.to_list (A.init n double));
        is "List.map" (Drover.List.map double few);
        Alcotest.(check int)
          "reduce"
          (n * (n - 1))
          (A.reduce ~init:0 ~combine:( + ) double (Array.of_list few));
        Alcotest.(check int)
          "List.reduce"
          (n * (n - 1))
          (Drover.List.reduce ~init:0 ~combine:( + ) double few)
      done)

let () =
  Alcotest.run "array"
    [
      ("misuse", [ Watchdog.case "each" misuse ]);
      ( "bounds",
        [
          Watchdog.case "nothing" nothing;
          Watchdog.case "no floats" no_floats;
          Watchdog.case "huge" huge;
        ] );
      ("the first exception is raised with its backtrace", failing);
      ( "cost",
        [ Watchdog.case "no box per element" no_box; Watchdog.case "one array a result" one_result ]
      );
      ( "the rest before the first",
        List.concat_map
          (fun domains ->
            List.map
              (fun n ->
                let name = Printf.sprintf "%d elements, %d domains" n domains in
                Watchdog.case name (fun () -> begun_elsewhere domains n))
              [ 2; 8 ])
          [ 1; 2 ] );
      ("shuffle", [ Watchdog.case "uniform" uniform; Watchdog.case "seeds" seeds ]);
    ]
