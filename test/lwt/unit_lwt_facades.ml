(* The façades: the interfaces that programs move from, and what moved programs rely on. *)

open Test_support
open Lwt.Syntax

(* The same functions with the same types. *)
module _ : module type of Lwt_preemptive = Drover_lwt.Preemptive
module Preemptive = Drover_lwt.Preemptive
module _ : Interface.Lwt_domain = Lwt_domain

let case name f = Watchdog.case name (fun () -> Lwt_main.run (f ()))
let check_int what expected found = Alcotest.(check int) what expected found

(* Preemptive *)

let bounds () =
  Preemptive.simple_init ();
  Alcotest.(check (pair int int)) "at first" (0, 4) (Preemptive.get_bounds ());
  Preemptive.init 1 8 ignore;
  Alcotest.(check (pair int int)) "init" (1, 8) (Preemptive.get_bounds ());
  Preemptive.set_bounds (0, 4);
  Preemptive.simple_init ();
  Alcotest.(check (pair int int)) "set" (0, 4) (Preemptive.get_bounds ());
  let misuse name = Failing.misuse ("Drover_lwt.Preemptive." ^ name) in
  misuse "set_bounds: " (fun () -> Preemptive.set_bounds (3, 2));
  misuse "set_max_number_of_threads_queued: " (fun () ->
      Preemptive.set_max_number_of_threads_queued (-1));
  check_int "queued" 1000 (Preemptive.get_max_number_of_threads_queued ())

let detach () =
  let main = Domain.self () in
  let* values = Lwt_list.map_p (Preemptive.detach (fun n -> n * n)) (List.init 2000 Fun.id) in
  Alcotest.(check (list int)) "values" (List.init 2000 (fun n -> n * n)) values;
  let* elsewhere = Preemptive.detach (fun () -> Domain.self () <> main) () in
  Alcotest.(check bool) "elsewhere" true elsewhere;
  Lwt.catch
    (fun () -> Preemptive.detach Failing.raise_here 5)
    (function Failing.Failed 5 -> Lwt.return_unit | exn -> Lwt.reraise exn)

(* One thread at most: one computation at a time. *)
let one_thread () =
  Preemptive.set_bounds (0, 1);
  Preemptive.set_max_number_of_threads_queued 0;
  let inside = Atomic.make 0 and overlaps = Atomic.make 0 in
  let task () =
    if Atomic.fetch_and_add inside 1 > 0 then Atomic.incr overlaps;
    Preemptive.run_in_main Lwt.pause;
    Atomic.decr inside
  in
  let tasks = List.init 100 (fun _ -> Preemptive.detach task ()) in
  check_int "busy" 1 (Preemptive.nbthreadsbusy ());
  check_int "in the queue" 99 (Preemptive.nbthreadsqueued ());
  let+ () = Lwt.join tasks in
  check_int "overlaps" 0 (Atomic.get overlaps);
  check_int "busy at the end" 0 (Preemptive.nbthreadsbusy ());
  Preemptive.set_max_number_of_threads_queued 1000;
  Preemptive.set_bounds (0, 4)

let in_main () =
  let* n = Preemptive.detach (fun () -> Preemptive.run_in_main (fun () -> Lwt.return 3)) () in
  check_int "value" 3 n;
  let failed, resolver = Lwt.wait () in
  let* () =
    Preemptive.detach
      (fun () -> Preemptive.run_in_main_dont_wait (fun () -> Lwt.fail Exit) (Lwt.wakeup resolver))
      ()
  in
  let+ exn = failed in
  Alcotest.(check bool) "the handler has it" true (exn = Exit)

(* Lwt_domain *)

let is_named name pool =
  match Lwt_domain.lookup_pool name with Some found -> found == pool | None -> false

let pools () =
  let pool = Lwt_domain.setup_pool ~name:"named" 2 in
  check_int "its domains and the caller's" 3 (Lwt_domain.get_num_domains pool);
  Alcotest.(check bool) "by name" true (is_named "named" pool);
  Lwt_domain.teardown_pool pool;
  Alcotest.(check bool) "no more" true (Option.is_none (Lwt_domain.lookup_pool "named"));
  let misuse f = Failing.misuse "pool already torn down" f in
  misuse (fun () -> Lwt_domain.teardown_pool pool);
  misuse (fun () -> Lwt_domain.get_num_domains pool);
  misuse (fun () -> Lwt_domain.detach pool Fun.id ());
  Failing.misuse "" (fun () -> Lwt_domain.setup_pool (-1))

(* A pool without domains computes at once. *)
let no_domains () =
  let pool = Lwt_domain.setup_pool 0 in
  check_int "the caller's" 1 (Lwt_domain.get_num_domains pool);
  Alcotest.(check bool)
    "at once" true
    (Lwt.state (Lwt_domain.detach pool (fun n -> n + 1) 1) = Return 2);
  Alcotest.(check bool)
    "failure" true
    (Lwt.state (Lwt_domain.detach pool (fun () -> raise Exit) ()) = Fail Exit);
  Lwt_domain.teardown_pool pool;
  Lwt.return_unit

let domain_detach () =
  let pool = Lwt_domain.setup_pool 2 in
  let* values = Lwt_list.map_p (Lwt_domain.detach pool (fun n -> n * n)) (List.init 2000 Fun.id) in
  Alcotest.(check (list int)) "values" (List.init 2000 (fun n -> n * n)) values;
  let* () =
    Lwt.catch
      (fun () -> Lwt_domain.detach pool Failing.raise_here 6)
      (function
        | Failing.Failed 6 ->
            Alcotest.(check bool) "backtrace" true (Failing.is_named ());
            Lwt.return_unit
        | exn -> Lwt.reraise exn)
  in
  (* More calls at a time than there are domains; the original's slow ones fail. *)
  let call i () = Lwt_domain.run_in_main (fun () -> Lwt.map (fun () -> i) (Lwt.pause ())) in
  let+ values = Lwt.all (List.init 20 (fun i -> Lwt_domain.detach pool (call i) ())) in
  Alcotest.(check (list int)) "in main" (List.init 20 Fun.id) values;
  Lwt_domain.teardown_pool pool

(* A computation that needs the loop while the loop tears the pool down still ends. *)
let busy_teardown () =
  let pool = Lwt_domain.setup_pool 1 in
  let task () = Lwt_domain.run_in_main (fun () -> Lwt.map (fun () -> 1) (Lwt.pause ())) in
  let value = Lwt_domain.detach pool task () in
  Lwt_domain.teardown_pool pool;
  let+ n = value in
  check_int "value" 1 n

(* What was accepted is computed, also beyond the number that is in flight at a time. *)
let full_teardown () =
  let n = Drover_lwt.max_in_flight () + 2000 in
  let pool = Lwt_domain.setup_pool 2 in
  let values = List.init n (Lwt_domain.detach pool Fun.id) in
  Lwt_domain.teardown_pool pool;
  Failing.misuse "pool already torn down" (fun () -> Lwt_domain.detach pool Fun.id 0);
  let+ values = Lwt.all values in
  Alcotest.(check bool) "values" true (values = List.init n Fun.id)

(* The latest with a name that is not torn down. *)
let same_names () =
  let setup () = Lwt_domain.setup_pool ~name:"same" 1 in
  let a = setup () in
  let b = setup () in
  let c = setup () in
  Alcotest.(check bool) "the latest" true (is_named "same" c);
  Lwt_domain.teardown_pool a;
  Alcotest.(check bool) "without the first" true (is_named "same" c);
  Lwt_domain.teardown_pool c;
  Alcotest.(check bool) "without the latest" true (is_named "same" b);
  Lwt_domain.teardown_pool b;
  Alcotest.(check bool) "none" true (Option.is_none (Lwt_domain.lookup_pool "same"))

(* A program that has all the domains that OCaml allows: an error, where nobody could compute. *)
let no_room_scene =
  let rec fill () =
    match Domain.spawn (fun () -> Unix.sleepf 1e6) with
    | (_ : unit Domain.t) -> fill ()
    | exception Failure _ -> ()
  in
  let report name f =
    match f () with
    | (_ : string) -> Printf.printf "%s returned\n%!" name
    | exception Failure message ->
        let caller = List.hd (String.split_on_char ':' message) in
        Printf.printf "%s: %s\n%!" name caller
  in
  let play () =
    fill ();
    report "detach" (fun () -> Lwt_main.run (Drover_lwt.detach (fun () -> "")));
    report "preemptive" (fun () -> Lwt_main.run (Preemptive.detach Fun.id ""));
    report "setup_pool" (fun () ->
        ignore (Lwt_domain.setup_pool 1 : Lwt_domain.pool);
        "");
    Unix._exit 0
  in
  { Child.name = "no room"; play }

let no_room () =
  let ending = Child.ending (Child.start no_room_scene) in
  Alcotest.(check string)
    "errors"
    "detach: Drover_lwt.detach\n\
     preemptive: Drover_lwt.Preemptive.detach\n\
     setup_pool: Lwt_domain.setup_pool\n"
    ending.output

let tests () =
  Printexc.record_backtrace true;
  Alcotest.run "unit lwt facades"
    [
      ( "preemptive",
        [
          Watchdog.case "bounds" bounds;
          case "detach" detach;
          case "one thread" one_thread;
          case "in main" in_main;
        ] );
      ( "lwt_domain",
        [
          Watchdog.case "pools" pools;
          case "no domains" no_domains;
          case "detach" domain_detach;
          case "torn down while busy" busy_teardown;
          case "torn down while full" full_teardown;
          Watchdog.case "same names" same_names;
        ] );
      ("exhaustion", [ Watchdog.case "no room for a domain" no_room ]);
    ]

let () = Child.main [ no_room_scene ] tests
