(* What is recorded of programs whose shape is known. Time is what they say that they spend. *)

open Drover_seen
open Drover_sim_replay.Recorded

let now = ref 0
let spend n = now := !now + n

let record f =
  let before = !Hooks.installed in
  let beginning = Profile.turn_on ~records:true ~clock:(fun () -> !now) ~steal:0 () in
  Hooks.installed := { !Hooks.installed with pool_size = Some 1 };
  Fun.protect
    ~finally:(fun () -> Hooks.installed := before)
    (fun () -> Pool.run_in_new ~domains:1 (fun () -> Strand.strand beginning ignore f));
  let file = Filename.temp_file "drover" ".recording" in
  Fun.protect
    ~finally:(fun () -> Sys.remove file)
    (fun () ->
      Out_channel.with_open_bin file (fun oc -> Recording.write oc beginning.record);
      parse (In_channel.with_open_bin file In_channel.input_lines))

(* Without words, and without work in which no time passes *)

let work ?(calls = 0) ns = Work { ns; words = 0; calls }
let is_nothing = function Work { ns = 0; calls = 0; _ } -> true | _ -> false

let rec plain items = List.filter (Fun.negate is_nothing) (List.map plain_item items)

and plain_item = function
  | Work w -> Work { w with words = 0 }
  | Fork (left, right) -> Fork (plain left, plain right)
  | Loop runs -> Loop (List.map plain_run runs)
  | Start (task, body) -> Start (task, plain body)
  | (Signal _ | Wait _) as item -> item

and plain_run = function
  | Steps (n, w) -> Steps (n, { w with words = 0 })
  | Iteration items -> Iteration (plain items)

let is_of_shape expected f () =
  Alcotest.(check bool) "the shape" true (plain (record f).program = expected)

let both f g = ignore (Drover.both f g : unit * unit)

let fork () =
  spend 2_000;
  both (fun () -> spend 3_000) (fun () -> spend 5_000);
  spend 1_000

(* One strand with what is around it, as they are short *)
let short_forks () =
  spend 2_000;
  for _ = 1 to 10 do
    both (fun () -> spend 30) (fun () -> spend 50)
  done

(* A node takes 10 microseconds, so nothing is too short. *)
let rec fib n =
  spend 10_000;
  if n > 1 then both (fun () -> fib (n - 1)) (fun () -> fib (n - 2))

let rec tree_of_fib n =
  work 10_000 :: (if n > 1 then [ Fork (tree_of_fib (n - 1), tree_of_fib (n - 2)) ] else [])

let loop () = Drover.parallel_for ~start:1 ~finish:1_000 (fun _ -> spend 2_000)
let run n ns = Steps (n, { ns = n * ns; words = 0; calls = 0 })

(* The first half is twice as long. *)
let uneven () =
  Drover.parallel_for ~start:1 ~finish:100 (fun i -> spend (if i <= 50 then 4_000 else 2_000))

(* What is plain comes when the next of that kind is known. *)
let nested () =
  Drover.parallel_for ~start:1 ~finish:3 (fun i ->
      spend 100;
      if i = 2 then both (fun () -> spend 3_000) (fun () -> spend 4_000))

let tasks () =
  let p = Drover.async (fun () -> spend 5_000) in
  spend 2_000;
  Drover.await p;
  spend 1_000

(* Not the end of a task *)
let by_hand () =
  let promise, resolver = Drover.Promise.create () in
  let wait () =
    spend 1_000;
    Drover.await promise;
    spend 3_000
  and fulfil () =
    spend 4_000;
    Drover.Promise.fulfil resolver ();
    spend 10_000
  in
  both wait fulfil

let is_signalled () =
  match plain (record by_hand).program with
  | [
   Fork
     ( [ Work { ns = 1_000; _ }; Wait { event; task = None }; Work { ns = 3_000; _ } ],
       [ Work { ns = 4_000; _ }; Signal event'; Work { ns = 10_000; _ } ] );
  ] ->
      Alcotest.(check int) "the event" event event'
  | _ -> Alcotest.fail "another shape"

let is_awaited () =
  match plain (record tasks).program with
  | [
   Start (task, Work { ns = 5_000; _ } :: _);
   Work { ns = 2_000; _ };
   Wait { task = Some task'; _ };
   Work { ns = 1_000; _ };
  ] ->
      Alcotest.(check int) "the task" task task'
  | _ -> Alcotest.fail "another shape"

(* However long it goes on *)
let is_bounded () =
  let forks n () =
    for _ = 1 to n do
      both (fun () -> spend 1_000) (fun () -> spend 1_000)
    done
  in
  let few = record (forks 50_000) and many = record (forks 100_000) in
  Alcotest.(check int) "all of the work" 200_000_000 (work_of_items many.program + many.rest);
  Alcotest.(check bool) "grows slowly" true (many.events < few.events + 20_000)

(* Tasks have no end of their own that one could do without. *)
let is_cut () =
  let { events; rest; program; _ } =
    record (fun () ->
        for _ = 1 to 100_000 do
          Drover.await (Drover.async (fun () -> spend 2_000))
        done)
  in
  Alcotest.(check bool) "no more" true (events < 150_000);
  Alcotest.(check bool) "a rest" true (rest > 0);
  Alcotest.(check int) "all of the work" 200_000_000 (work_of_items program + rest)

let () =
  let test name f = Alcotest.test_case name `Quick f in
  Alcotest.run "recording"
    [
      ( "shape",
        [
          test "a fork"
            (is_of_shape [ work 2_000; Fork ([ work 3_000 ], [ work 5_000 ]); work 1_000 ] fork);
          test "short forks" (is_of_shape [ work ~calls:10 2_800 ] short_forks);
          test "fib" (is_of_shape (tree_of_fib 8) (fun () -> fib 8));
          test "a loop" (is_of_shape [ Loop [ run 1_000 2_000 ] ] loop);
          test "an uneven loop" (is_of_shape [ Loop [ run 50 4_000; run 50 2_000 ] ] uneven);
          test "a fork in a loop"
            (is_of_shape
               [ Loop [ Iteration [ work 100; Fork ([ work 3_000 ], [ work 4_000 ]) ]; run 2 100 ] ]
               nested);
          test "a task" is_awaited;
          test "a promise" is_signalled;
        ] );
      ("size", [ test "forks" is_bounded; test "tasks" is_cut ]);
    ]
