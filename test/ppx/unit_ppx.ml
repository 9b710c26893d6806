(* for%par, let%par and reductions compute what serial OCaml does, on any number of domains. *)

open Alcotest
open Test_support

let on_all_domains name f =
  Watchdog.case name @@ fun () ->
  List.iter (fun domains -> Drover.run ~domains (fun () -> f ())) [ 1; 2; 4 ]

let lengths = [ 0; 1; 2; 63; 1_000; 100_003 ]
let for_lengths f () = List.iter f lengths

(* {1 Loops} *)

let each_iteration_once n =
  let counts = Array.init n (fun _ -> Atomic.make 0) in
  for%par i = 0 to n - 1 do
    Atomic.incr counts.(i)
  done;
  check bool "each once" true (Array.for_all (fun c -> Atomic.get c = 1) counts)

let never () : unit = fail "an iteration of an empty loop"

let empty_loops () =
  for%par _ = 5 to 4 do
    never ()
  done;
  for%par[@grain 10] _ = max_int to min_int do
    never ()
  done;
  let sum =
    for%sum _ = 1 to 0 do
      never ();
      1.
    done
  in
  check (float 0.) "sum" 0. sum

let at_the_ends_of_int () =
  let hits = Atomic.make 0 in
  for%par _ = max_int - 2 to max_int do
    Atomic.incr hits
  done;
  check int "iterations" 3 (Atomic.get hits);
  let last =
    for%max_int i = min_int to min_int + 2 do
      i
    done
  in
  check int "last" (min_int + 2) last

let nested () =
  let n = 50 in
  let table = Array.make_matrix n n 0 in
  for%par i = 0 to n - 1 do
    for%par[@grain 7] j = 0 to n - 1 do
      table.(i).(j) <-
        for%sum_int k = 1 to i + j do
          k
        done
    done
  done;
  let expected = Array.init n (fun i -> Array.init n (fun j -> (i + j) * (i + j + 1) / 2)) in
  check (array (array int)) "table" expected table

let bounds_in_order () =
  let order = ref [] in
  let note name value =
    order := name :: !order;
    value
  in
  for%par _ = note "first" 1 to note "last" 3 do
    ()
  done;
  let n =
    for%sum_int _ = note "from" 1 to note "to" 3 do
      1
    done
  in
  check int "iterations" 3 n;
  check (list string) "order" [ "first"; "last"; "from"; "to" ] (List.rev !order)

let exceptions () =
  let ran = Atomic.make 0 in
  check_raises "of an iteration" (Failure "17") (fun () ->
      for%par i = 1 to 100_000 do
        if i = 17 then failwith (string_of_int i);
        Atomic.incr ran
      done);
  check bool "the rest is skipped" true (Atomic.get ran < 99_999);
  check_raises "of a bound" Exit (fun () ->
      for%par _ = raise Exit to failwith "too far" do
        ()
      done);
  check_raises "of a value" (Failure "9") (fun () ->
      ignore
        (for%sum i = 0 to 9 do
           if i < 9 then 1. else failwith (string_of_int i)
         done
          : float))

let grains () =
  let refused where f =
    check_raises where (Invalid_argument ("Drover." ^ where ^ ": grain < 1")) f
  in
  refused "parallel_range" (fun () ->
      for%par[@grain 0] _ = 1 to 2 do
        ()
      done);
  refused "parallel_reduce_range" (fun () ->
      ignore
        (for%sum[@grain 0] _ = 1 to 2 do
           1.
         done
          : float))

(* {1 Reductions} *)

let numbers n = Array.init n (fun i -> sin (float_of_int i))

let sums n =
  let x = numbers n in
  let serial = Array.fold_left ( +. ) 0. x in
  check (float 1e-6) "floats" serial
    (for%sum i = 0 to n - 1 do
       x.(i)
     done);
  check int "ints"
    (n * (n - 1) / 2)
    (for%sum_int i = 0 to n - 1 do
       i
     done)

let extremes n =
  let x = numbers n in
  let ints = Array.map (fun x -> int_of_float (1e6 *. x)) x in
  let fold combine init a = Array.fold_left combine init a in
  check (float 0.) "min" (fold Float.min infinity x)
    (for%min i = 0 to n - 1 do
       x.(i)
     done);
  check (float 0.) "max" (fold Float.max neg_infinity x)
    (for%max i = 0 to n - 1 do
       x.(i)
     done);
  check int "min_int" (fold Int.min max_int ints)
    (for%min_int i = 0 to n - 1 do
       ints.(i)
     done);
  check int "max_int" (fold Int.max min_int ints)
    (for%max_int i = 0 to n - 1 do
       ints.(i)
     done)

let not_a_number () =
  let x i = if i = 700 then nan else float_of_int i in
  check bool "min" true
    (Float.is_nan
       (for%min i = 0 to 999 do
          x i
        done));
  check bool "max" true
    (Float.is_nan
       (for%max i = 0 to 999 do
          x i
        done))

let any_operator n =
  let words = Array.init n string_of_int in
  let all =
    for%reduce[@identity ""] [@combine ( ^ )] i = 0 to n - 1 do
      words.(i)
    done
  in
  check bool "in order" true (all = String.concat "" (Array.to_list words))

let operators_are_evaluated_once () =
  let evaluated = ref 0 in
  let operator () =
    incr evaluated;
    fun a b -> a + b
  and zero () =
    incr evaluated;
    0
  in
  let sum =
    for%reduce[@combine operator ()] [@identity zero ()] [@grain 1] i = 1 to 1_000 do
      i
    done
  in
  check int "sum" 500_500 sum;
  check int "evaluated" 2 !evaluated

let the_same_at_each_run () =
  let n = 100_003 in
  let x = numbers n in
  let sum domains =
    Drover.run ~domains (fun () ->
        [%sum
          for i = 0 to n - 1 do
            x.(i) *. x.(i)
          done])
  in
  let expected = sum 1 in
  for _ = 1 to 20 do
    List.iter (fun domains -> check (float 0.) "sum" expected (sum domains)) [ 1; 2; 4 ]
  done

(* {1 Let} *)

type point = { x : int; y : int }
type other = { x : string; y : string; z : unit } [@@warning "-69"]

let any_patterns () =
  let%par a, [| b |] = (1, [| 2 |])
  and { x; y } : point = { x = 3; y = 4 }
  and (_ : int) = 5
  and f = fun n -> n + 1
  and (`Six as six) = `Six in
  check (list int) "results" [ 1; 2; 3; 4; 7 ] [ a; b; x; y; f (match six with `Six -> 6) ];
  check string "the other type" "z" { x = ""; y = "z"; z = () }.y
[@@warning "-8"]

let bindings_do_not_see_each_other () =
  let x = 1 in
  let%par x = x + 1 and y = x + 10 and z = x + 100 in
  check (list int) "results" [ 2; 11; 101 ] [ x; y; z ]

let rec fib n =
  if n < 10 then if n < 2 then n else fib (n - 1) + fib (n - 2)
  else
    let%par a = fib (n - 1) and b = fib (n - 2) in
    a + b

let recursion () = check int "fib" 6_765 (fib 20)

let the_first_exception () =
  check_raises "of the first" (Failure "b") (fun () ->
      let%par a = 1 and b = failwith "b" and c = 3 in
      ignore (a + b + c : int))

let they_run_in_parallel () =
  Drover.run ~domains:3 @@ fun () ->
  let all = Drover.Latch.create 3 in
  let meet () =
    Drover.Latch.count_down all;
    Drover.Latch.wait all
  in
  let%par () = meet () and () = meet () and () = meet () in
  ()

let () =
  run "ppx"
    [
      ( "loops",
        [
          on_all_domains "each iteration runs once" (for_lengths each_iteration_once);
          on_all_domains "empty loops" empty_loops;
          on_all_domains "the ends of int" at_the_ends_of_int;
          on_all_domains "nested" nested;
          on_all_domains "bounds are evaluated once, in order" bounds_in_order;
          on_all_domains "exceptions" exceptions;
          on_all_domains "a grain below 1 is refused" grains;
        ] );
      ( "reductions",
        [
          on_all_domains "sums" (for_lengths sums);
          on_all_domains "least and greatest" (for_lengths extremes);
          on_all_domains "nan is neither" not_a_number;
          on_all_domains "any operator, in order" (for_lengths any_operator);
          on_all_domains "the operator is evaluated once" operators_are_evaluated_once;
          Watchdog.case "the same at each run" the_same_at_each_run;
        ] );
      ( "let",
        [
          on_all_domains "any patterns" any_patterns;
          on_all_domains "bindings do not see each other" bindings_do_not_see_each_other;
          on_all_domains "recursion" recursion;
          on_all_domains "the first exception" the_first_exception;
          Watchdog.case "all run in parallel" they_run_in_parallel;
        ] );
    ]
