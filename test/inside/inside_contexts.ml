(* Forks that are published have the context that they were made in, whenever that is. *)

open Test_support

let key = Context.Locals.key "nobody's"
let found () = Local.get key
let worker () = Option.get (Worker.mine ())

(* The value that another worker finds in a fork made here. *)
let found_by_a_thief () =
  let result = Atomic.make None in
  let steal () =
    Fork_stack.publish_all (worker ());
    Spin.until (fun () -> Option.is_some (Atomic.get result))
  in
  ignore (Fork_join.both steal (fun () -> Atomic.set result (Some (found ()))));
  Option.get (Atomic.get result)

let check what expected = Alcotest.(check string) what expected (found_by_a_thief ())
let in_pool f () = Pool.run_in_new ~domains:2 f

(* As a batch does that is applied in place of a task: the forks of the outer levels leave the stack, and
   those that follow lie where they were. *)
let stack_was_published () =
  let rec nest n =
    if n > 0 then ignore (Fork_join.both (fun () -> nest (n - 1)) ignore)
    else
      Local.with_value key "inner" (fun () ->
          Fork_stack.publish_all (worker ());
          check "inside" "inner")
  in
  nest 3;
  check "afterwards" "nobody's"

let within_forks () =
  let rec nest n =
    let name = string_of_int n in
    if n > 0 then
      Local.with_value key name (fun () ->
          check "before" name;
          ignore (Fork_join.both (fun () -> nest (n - 1)) (fun () -> found ()));
          check "after" name)
  in
  nest 10

(* A batch function is called in another context: the forks that were made before stay in theirs. *)
let apart () =
  let batch = Batch.create (fun (_ : unit array) -> check "apart" "nobody's") in
  let open_fork = Atomic.make None in
  Local.with_value key "outer" (fun () ->
      let inner () =
        Batch.submit batch ();
        Spin.until (fun () -> Option.is_some (Atomic.get open_fork));
        check "afterwards" "outer"
      in
      ignore (Fork_join.both inner (fun () -> Atomic.set open_fork (Some (found ())))));
  Alcotest.(check (option string)) "the open fork" (Some "outer") (Atomic.get open_fork)

let () =
  let case name f = Watchdog.case name (in_pool f) in
  Alcotest.run "inside contexts"
    [
      ( "of forks",
        [
          case "published from the middle" stack_was_published;
          case "in turns" within_forks;
          case "apart" apart;
        ] );
    ]
