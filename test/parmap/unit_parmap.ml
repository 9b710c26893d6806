(* Parmap's interface, on Drover. *)

open Test_support
open Parmap

let ints = Alcotest.(list int)
let hundred = List.init 100 Fun.id

(* How many ranks, and with which chunks: more ranks than elements, one chunk, a part for each rank. *)
let divisions =
  List.concat_map
    (fun ncores ->
      List.map (fun chunksize -> (ncores, chunksize)) [ None; Some 1; Some 7; Some 100 ])
    [ 1; 2; 3; 8; 1000 ]

let on_each test () = List.iter (fun (ncores, chunksize) -> test ncores chunksize) divisions

(* Results *)

let maps ncores chunksize =
  let expected = List.map succ hundred in
  let check what = Alcotest.check ints what expected in
  let array = Array.of_list hundred in
  check "of a list" (parmap ~ncores ?chunksize succ (L hundred));
  check "of an array" (parmap ~ncores ?chunksize succ (A array));
  check "in order" (parmap ~ncores ?chunksize ~keeporder:true succ (L hundred));
  check "to an array" (Array.to_list (array_parmap ~ncores ?chunksize succ array));
  let twice = List.map (fun i -> 2 * i) hundred in
  Alcotest.check ints "positions" twice (parmapi ~ncores ?chunksize ( + ) (L hundred));
  Alcotest.check ints "positions, to an array" twice
    (Array.to_list (array_parmapi ~ncores ?chunksize ( + ) array))

let iterations ncores chunksize =
  let counts = Array.make 100 0 in
  pariter ~ncores ?chunksize (fun i -> counts.(i) <- counts.(i) + 1) (L hundred);
  pariteri ~ncores ?chunksize (fun i x -> counts.(i) <- counts.(i) + x) (L hundred);
  Alcotest.(check (array int)) "each once" (Array.init 100 succ) counts

let folds ncores chunksize =
  let check what = Alcotest.(check int) what 4950 in
  check "a fold" (parfold ~ncores ?chunksize ( + ) (L hundred) 0 ( + ));
  check "of a map" (parmapfold ~ncores ?chunksize (fun x -> x) (L hundred) ( + ) 0 ( + ));
  check "with positions"
    (parmapifold ~ncores ?chunksize (fun i x -> (i + x) / 2) (L hundred) ( + ) 0 ( + ))

let floats ncores chunksize =
  let a = Array.init 100 float in
  let expected = Array.map sqrt a in
  let check what = Alcotest.(check (array (float 0.))) what in
  check "new" expected (array_float_parmap ~ncores ?chunksize sqrt a);
  let result = Array.make 101 (-1.) in
  let returned = array_float_parmapi ~ncores ?chunksize ~result (fun i x -> float i *. x) a in
  Alcotest.(check bool) "the result itself" true (result == returned);
  check "in a longer one" (Array.append (Array.map (fun x -> x *. x) a) [| -1. |]) result

let too_small () =
  let a = Array.init 3 float in
  let refuses what f =
    Alcotest.check_raises what WrongArraySize (fun () ->
        ignore (f (fun _ -> Alcotest.fail "is called") : float array))
  in
  let sharedbuffer = init_shared_buffer [| 0.; 0. |] in
  refuses "result" (fun f -> array_float_parmap ~result:[| 0.; 0. |] f a);
  refuses "buffer" (fun f -> array_float_parmap ~sharedbuffer f a)

(* As Parmap groups them: floats do not associate. *)
let order_of_sums () =
  let op = Printf.sprintf "(%s%s)" and concat = Printf.sprintf "[%s%s]" in
  Alcotest.(check string)
    "three shares from the right" "[(0(1-))[(2(3-))[(4(5(6-)))-]]]"
    (parmapfold ~ncores:3 string_of_int (L (List.init 7 Fun.id)) op "-" concat)

(* Ranks *)

let each_rank () =
  let here = parmap ~ncores:4 (fun x -> (x, get_rank (), get_ncores ())) (L hundred) in
  Alcotest.(check (list (triple int int int)))
    "shares"
    (List.map (fun x -> (x, x / 25, 4)) hundred)
    here;
  Alcotest.(check int) "outside" (-1) (get_rank ());
  Alcotest.(check int) "the latest number" 4 (get_ncores ())

let every_rank_works () =
  let ranks = parmap ~ncores:4 ~chunksize:1 (fun _ -> get_rank ()) (L hundred) in
  Alcotest.check ints "ranks" [ 0; 1; 2; 3 ] (List.sort_uniq Int.compare ranks)

let ends () =
  let begun = Atomic.make [] and ended = Atomic.make [] in
  let rec add list i =
    let before = Atomic.get list in
    if not (Atomic.compare_and_set list before (i :: before)) then add list i
  in
  let init i = add begun i and finalize () = add ended (get_rank ()) in
  let is_at what list =
    Alcotest.check ints what [ 0; 1; 2 ] (List.sort Int.compare (Atomic.get list))
  in
  pariter ~init ~finalize ~ncores:3 ignore (L hundred);
  is_at "begun" begun;
  is_at "ended" ended

let serial () =
  let never _ = Alcotest.fail "is called" in
  let check ncores =
    Alcotest.check ints "the caller" [ -1; -1 ]
      (parmap ~init:never ~finalize:never ~ncores (fun _ -> get_rank ()) (L [ 1; 2 ]));
    Alcotest.(check int) "one" 1 (get_ncores ())
  in
  List.iter check [ 1; 0; min_int ];
  Alcotest.check ints "one element has a rank" [ 0 ]
    (parmap ~ncores:2 (fun _ -> get_rank ()) (L [ 1 ]))

let defaults () =
  let before = get_default_ncores () in
  Alcotest.(check bool) "at least two" true (before >= 2);
  set_default_ncores 3;
  ignore (parmap succ (L hundred) : int list);
  Alcotest.(check int) "set" 3 (get_ncores ());
  set_default_ncores before

let nested () =
  let row i =
    let inner =
      parmap ~ncores:2 (fun j -> ((10 * i) + j, get_rank (), get_ncores ())) (L [ 0; 1 ])
    in
    (inner, get_rank (), get_ncores ())
  in
  let rows = parmap ~ncores:3 row (L [ 0; 1; 2 ]) in
  let expected i = ([ (10 * i, 0, 2); ((10 * i) + 1, 1, 2) ], i, 3) in
  Alcotest.(check bool) "each has its own" true (rows = List.init 3 expected)

let anywhere () =
  let map () = parmap ~ncores:2 succ (L [ 1; 2; 3 ]) in
  let check (place : Place.t) = Alcotest.check ints place.name [ 2; 3; 4 ] (place.call map) in
  List.iter check Place.all

(* Accumulators and results *)

let own_accumulator () =
  let count x table =
    Hashtbl.replace table (x mod 10)
      (1 + Option.value ~default:0 (Hashtbl.find_opt table (x mod 10)));
    table
  and merge a b =
    let sum key n = Hashtbl.replace b key (n + Option.value ~default:0 (Hashtbl.find_opt b key)) in
    Hashtbl.iter sum a;
    b
  in
  on_each
    (fun ncores chunksize ->
      let table = parfold ~ncores ?chunksize count (L hundred) (Hashtbl.create 16) merge in
      Alcotest.check ints "counts"
        (List.init 10 (fun _ -> 10))
        (List.init 10 (fun key -> Hashtbl.find table key)))
    ()

let not_copied () =
  Failing.misuse "Parmap: the first accumulator cannot be copied" (fun () ->
      parfold (fun _ channel -> channel) (L [ 1 ]) stdout Fun.const)

let results_themselves () =
  let all = List.map ref hundred in
  Alcotest.(check bool) "identity" true (List.for_all2 ( == ) all (parmap Fun.id (L all)))

(* Failures *)

let all_fail f = on_each (fun ncores chunksize -> Failing.check 1 (fun () -> f ~ncores ~chunksize))
let fail_at n x = if x = n then Failing.raise_here 1 else x

let failures =
  [
    ( "f",
      all_fail (fun ~ncores ~chunksize ->
          ignore (parmap ~ncores ?chunksize (fail_at 50) (L hundred) : int list)) );
    ( "f of an iteration",
      all_fail (fun ~ncores ~chunksize ->
          pariter ~ncores ?chunksize (fun x -> ignore (fail_at 99 x : int)) (L hundred)) );
    ( "op",
      all_fail (fun ~ncores ~chunksize ->
          ignore (parfold ~ncores ?chunksize (fun x _ -> fail_at 0 x) (L hundred) 0 ( + ) : int)) );
    ( "concat",
      all_fail (fun ~ncores ~chunksize ->
          ignore
            (parfold ~ncores ?chunksize ( + ) (L hundred) 0 (fun _ _ -> Failing.raise_here 1) : int))
    );
    ( "init",
      all_fail (fun ~ncores ~chunksize ->
          let init i = if i = 0 then Failing.raise_here 1 in
          pariter ~init ~ncores:(Int.max 2 ncores) ?chunksize ignore (L hundred)) );
    ( "finalize",
      all_fail (fun ~ncores ~chunksize ->
          let finalize () = if get_rank () = 0 then Failing.raise_here 1 in
          pariter ~finalize ~ncores:(Int.max 2 ncores) ?chunksize ignore (L hundred)) );
  ]

let finalizes_all () =
  let open_ = Atomic.make 0 in
  let init _ = Atomic.incr open_ and finalize () = Atomic.decr open_ in
  Failing.check 1 (fun () ->
      pariter ~init ~finalize ~ncores:4 ~chunksize:1
        (fun x -> ignore (fail_at 50 x : int))
        (L hundred));
  Alcotest.(check int) "all that were initialised" 0 (Atomic.get open_)

let not_finalized () =
  let init _ = Failing.raise_here 1 and finalize () = Alcotest.fail "is called" in
  Failing.check 1 (fun () -> pariter ~init ~finalize ~ncores:2 ignore (L hundred))

(* Rank 0 fails when another one has begun, and that ends before its million elements. *)
let others_stop () =
  let begun = Atomic.make false and done_ = Atomic.make 0 in
  let f x =
    if get_rank () = 0 then begin
      Spin.until (fun () -> Atomic.get begun);
      Failing.raise_here 1
    end
    else begin
      Atomic.set begun true;
      Atomic.incr done_;
      Thread.yield ();
      ignore (Sys.opaque_identity x : int)
    end
  in
  Failing.check 1 (fun () ->
      Drover.run ~domains:2 (fun () -> pariter ~ncores:2 f (A (Array.make 2_000_000 0))));
  Alcotest.(check bool) "before the end" true (Atomic.get done_ < 1_000_000)

(* Odd input *)

let odd_input () =
  let is_map what ?ncores ?chunksize () =
    Alcotest.check ints what [ 2; 3; 4 ] (parmap ?ncores ?chunksize succ (L [ 1; 2; 3 ]))
  in
  is_map "no ranks" ~ncores:0 ();
  is_map "fewer" ~ncores:min_int ();
  is_map "many" ~ncores:max_int ();
  is_map "no chunk" ~chunksize:0 ();
  is_map "a negative chunk" ~chunksize:min_int ();
  is_map "a large chunk" ~chunksize:max_int ();
  let never _ = Alcotest.fail "is called" in
  Alcotest.check ints "no elements" [] (parmap never (L []));
  Alcotest.(check (array int)) "no array" [||] (array_parmap never [||]);
  Alcotest.(check (array (float 0.))) "no floats" [||] (array_float_parmap never [||]);
  Alcotest.(check int) "no fold" 7 (parfold never (A [||]) 7 never);
  pariter ~init:never ~finalize:never never (L [])

let redirected () =
  Failing.misuse "Parmap.redirect: " (fun () ->
      pariter ~init:(fun id -> redirect ~path:"." ~id) ignore (L [ 1 ]))

(* Whichever callback exits, the program ends, with that code. *)
let exits =
  let scene name run =
    let play () =
      run (fun () -> exit 3);
      print_endline "not reached"
    in
    { Child.name; play }
  in
  let hundred = L hundred in
  [
    scene "f exits" (fun exits ->
        pariter ~ncores:2 ~chunksize:1 (fun x -> if x = 3 then exits ()) hundred);
    scene "init exits" (fun exits ->
        pariter ~ncores:2 ~init:(fun i -> if i = 1 then exits ()) ignore hundred);
    scene "finalize exits" (fun exits -> pariter ~ncores:2 ~finalize:exits ignore hundred);
  ]

let () =
  Child.main exits @@ fun () ->
  let case = Watchdog.case in
  Alcotest.run "Parmap"
    [
      ( "results",
        [
          case "maps" (on_each maps);
          case "iterations" (on_each iterations);
          case "folds" (on_each folds);
          case "floats" (on_each floats);
          case "too small" too_small;
          case "order of sums" order_of_sums;
          case "an accumulator for each rank" own_accumulator;
          case "an accumulator that cannot be copied" not_copied;
          case "the values themselves" results_themselves;
        ] );
      ( "ranks",
        [
          case "each has its share" each_rank;
          case "every one works" every_rank_works;
          case "begin and end" ends;
          case "none" serial;
          case "by default" defaults;
          case "nested" nested;
          case "from anywhere" anywhere;
        ] );
      ("failures", List.map (fun (what, test) -> case what test) failures);
      ( "after a failure",
        [
          case "all are finalized" finalizes_all;
          case "what has not begun is not" not_finalized;
          case "the others stop" others_stop;
        ] );
      ("odd input", [ case "numbers" odd_input; case "redirect" redirected ]);
      ( "exit",
        List.map (fun scene -> case scene.Child.name (fun () -> Child.check_exit 3 scene)) exits );
    ]
