(* Parany's interface, on Drover. *)

open Test_support

let ints = Alcotest.(list int)
let hundred = List.init 100 Fun.id
let sizes = List.concat_map (fun n -> [ (n, 1); (n, 7); (n, 1000) ]) [ 0; 1; 2; 5; 1000 ]
let on_each test () = List.iter (fun (n, csize) -> test n csize) sizes

(* Items of a list; and that nobody asks once more when there are none. *)
let drawing items =
  let rest = ref items and is_over = ref false in
  fun () ->
    if !is_over then Alcotest.fail "drawn after the end";
    match !rest with
    | [] ->
        is_over := true;
        raise Parany.End_of_input
    | x :: xs ->
        rest := xs;
        x

let gather ?init ?finalize ?preserve n csize work items =
  let results = ref [] in
  Parany.run ?init ?finalize ?preserve ~csize n ~demux:(drawing items) ~work ~mux:(fun y ->
      results := y :: !results);
  List.rev !results

let sorted = List.sort Int.compare

(* Results *)

let any_order n csize =
  Alcotest.check ints "each once" hundred (sorted (gather n csize Fun.id hundred))

let in_order n csize =
  Alcotest.check ints "in order" (List.map succ hundred)
    (gather ~preserve:true n csize succ hundred)

let no_items n csize = Alcotest.check ints "none" [] (gather n csize succ [])

(* A lock, as for callbacks that use what only one may use. *)
let exclusive () =
  let inside = Atomic.make 0 in
  let alone f x =
    Alcotest.(check int) "nobody else" 0 (Atomic.fetch_and_add inside 1);
    Thread.yield ();
    let y = f x in
    Atomic.decr inside;
    y
  in
  let check what f = Alcotest.(check (list int)) what hundred (sorted (f ())) in
  check "demux" (fun () ->
      let results = ref [] in
      Parany.run 4
        ~demux:(alone (drawing hundred))
        ~work:Fun.id
        ~mux:(fun y -> results := y :: !results);
      Atomic.set inside 0;
      !results);
  check "mux" (fun () ->
      let results = ref [] in
      Parany.run 4 ~demux:(drawing hundred) ~work:Fun.id
        ~mux:(alone (fun y -> results := y :: !results));
      !results)

let parmap n csize =
  let module P = Parany.Parmap in
  let list what expected found = Alcotest.check ints what expected found in
  let a = Array.of_list hundred and twice = List.map (( * ) 2) hundred in
  list "parmap" twice (P.parmap ~csize n (( * ) 2) hundred);
  list "parmapi" twice (P.parmapi ~csize n ( + ) hundred);
  list "parfold" (List.rev twice)
    (P.parfold ~preserve:true ~csize n (( * ) 2) (Fun.flip List.cons) [] hundred);
  list "parfold, any order" twice
    (sorted (P.parfold ~csize n (( * ) 2) (Fun.flip List.cons) [] hundred));
  list "array_parmap" twice (Array.to_list (P.array_parmap ~csize n (( * ) 2) (-1) a));
  let counts = Array.make 100 0 in
  P.pariter ~csize n (fun i -> counts.(i) <- counts.(i) + 1) hundred;
  P.array_pariter ~csize n (fun i -> counts.(i) <- counts.(i) + 1) a;
  P.array_pariteri ~csize n (fun i x -> counts.(i) <- counts.(i) + x) a;
  list "iterations" (List.map (( + ) 2) hundred) (Array.to_list counts)

(* Ranks *)

let ranks () =
  let begun = Atomic.make 0 and ended = Atomic.make 0 in
  let add cell i = ignore (Atomic.fetch_and_add cell (1 lsl i) : int) in
  let init i =
    add begun i;
    Alcotest.(check int) "its own" i (Parany.get_rank ())
  and finalize () = add ended (Parany.get_rank ()) in
  ignore (gather ~init ~finalize 3 1 Fun.id hundred : int list);
  Alcotest.(check int) "all three begin" 7 (Atomic.get begun);
  Alcotest.(check int) "and end" 7 (Atomic.get ended);
  Alcotest.(check int) "outside" (-1) (Parany.get_rank ());
  let never _ = Alcotest.fail "is called" in
  Alcotest.check ints "none" [ -1 ]
    (gather ~init:never ~finalize:never 1 1 (fun _ -> Parany.get_rank ()) [ 0 ])

let nested () =
  let inner x = List.fold_left ( + ) 0 (gather 2 1 (( + ) x) [ 1; 2; 3 ]) in
  Alcotest.check ints "sums" [ 6; 9; 12 ] (gather ~preserve:true 3 1 inner [ 0; 1; 2 ])

let anywhere () =
  let check (place : Place.t) =
    Alcotest.check ints place.name hundred
      (place.call (fun () -> gather ~preserve:true 2 3 Fun.id hundred))
  in
  List.iter check Place.all

(* Failures *)

let failing at = fun x -> if x = at then Failing.raise_here 1 else x

let failures =
  let fails f = on_each (fun n csize -> Failing.check 1 (fun () -> f n csize)) in
  let run ?init ?finalize ?preserve ?(demux = Fun.id) ?(work = Fun.id) ?(mux = ignore) n csize =
    let draw = drawing hundred in
    Parany.run ?init ?finalize ?preserve ~csize n ~demux:(fun () -> demux (draw ())) ~work ~mux
  in
  [
    ("demux", fails (fun n -> run ~demux:(failing 50) n));
    ("work", fails (fun n -> run ~work:(failing 50) n));
    ("work, in order", fails (fun n -> run ~preserve:true ~work:(failing 50) n));
    ("mux", fails (fun n -> run ~mux:(fun x -> ignore (failing 50 x : int)) n));
    ("init", fails (fun n -> run ~init:(fun i -> if i = 1 then Failing.raise_here 1) (Int.max 2 n)));
    ( "finalize",
      fails (fun n ->
          run (Int.max 2 n) ~finalize:(fun () ->
              if Parany.get_rank () = 1 then Failing.raise_here 1)) );
  ]

(* What only [demux] may raise to say that it is over. *)
let end_elsewhere n csize =
  let stop _ = raise Parany.End_of_input in
  let raises what f = Alcotest.check_raises what Parany.End_of_input f in
  raises "work" (fun () -> Parany.run ~csize n ~demux:(drawing hundred) ~work:stop ~mux:ignore);
  raises "mux" (fun () -> Parany.run ~csize n ~demux:(drawing hundred) ~work:Fun.id ~mux:stop)

let not_again () =
  let once what k =
    let has_raised = ref false in
    Failing.check 1 (fun () ->
        k (fun () ->
            if !has_raised then Alcotest.failf "%s is called again" what;
            has_raised := true;
            Failing.raise_here 1))
  in
  for _ = 1 to 100 do
    once "demux" (fun fail -> Parany.run 4 ~demux:fail ~work:Fun.id ~mux:ignore);
    once "mux" (fun fail ->
        Parany.run 4 ~demux:(drawing hundred) ~work:Fun.id ~mux:(fun _ -> fail ()))
  done

let finalizes_all () =
  let open_ = Atomic.make 0 in
  let init _ = Atomic.incr open_ and finalize () = Atomic.decr open_ in
  Failing.check 1 (fun () -> ignore (gather ~init ~finalize 4 1 (failing 50) hundred : int list));
  Alcotest.(check int) "all that were initialised" 0 (Atomic.get open_)

let misuse () =
  Failing.misuse "Parany.run: csize < 1" (fun () -> ignore (gather 2 0 Fun.id hundred : int list))

(* The ranks begin and end, and draw once together. *)
let nothing_to_do () =
  let ranks = Atomic.make 0 in
  let init _ = Atomic.incr ranks and finalize () = Atomic.decr ranks in
  let demux () = raise Parany.End_of_input and never _ = Alcotest.fail "is called" in
  Parany.run ~init ~finalize 1000 ~demux ~work:never ~mux:never;
  Alcotest.(check int) "all ended" 0 (Atomic.get ranks)

(* Whichever callback exits, the program ends, with that code. *)
let exits =
  let scene name run =
    let play () =
      run (fun () -> exit 3);
      print_endline "not reached"
    in
    { Child.name; play }
  in
  let gather ?init ?(demux = Fun.id) ?(work = Fun.id) ?(mux = ignore) () =
    let draw = drawing hundred in
    Parany.run ?init 2 ~demux:(fun () -> demux (draw ())) ~work ~mux
  in
  let at_third exits x =
    if x = 3 then exits ();
    x
  in
  [
    scene "work exits" (fun exits -> gather ~work:(at_third exits) ());
    scene "demux exits" (fun exits -> gather ~demux:(at_third exits) ());
    scene "mux exits" (fun exits -> gather ~mux:(fun x -> ignore (at_third exits x : int)) ());
    scene "init exits" (fun exits -> gather ~init:(fun i -> if i = 1 then exits ()) ());
  ]

let () =
  Child.main exits @@ fun () ->
  let case = Watchdog.case in
  Alcotest.run "Parany"
    [
      ( "results",
        [
          case "in any order" (on_each any_order);
          case "in order" (on_each in_order);
          case "no items" (on_each no_items);
          case "one at a time" exclusive;
          case "Parmap" (on_each parmap);
        ] );
      ("ranks", [ case "begin and end" ranks; case "nested" nested; case "from anywhere" anywhere ]);
      ("failures", List.map (fun (what, test) -> case what test) failures);
      ( "after a failure",
        [
          case "all are finalized" finalizes_all;
          case "nothing is called again" not_again;
          case "the end, elsewhere" (on_each end_elsewhere);
        ] );
      ("odd input", [ case "csize" misuse; case "no items" nothing_to_do ]);
      ( "exit",
        List.map (fun scene -> case scene.Child.name (fun () -> Child.check_exit 3 scene)) exits );
    ]
