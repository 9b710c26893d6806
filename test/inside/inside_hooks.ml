(* An instrument sees each fork, whatever waits for its turn meanwhile. *)

let forks = 200_000

let each_fork () =
  let seen = ref 0 in
  let before = !Hooks.installed in
  let fork both w f g =
    incr seen;
    before.fork both w f g
  in
  Hooks.installed := { before with fork; private_forks = 0; shortcuts = false };
  let pool = Pool.create ~domains:1 () and is_over = Atomic.make false in
  (* Jobs come all the time, and wait for the turn of their kind. *)
  let rec add_jobs () =
    if not (Atomic.get is_over) then begin
      ignore (Pool.async_in pool ignore : unit Promise.t);
      Unix.sleepf 2e-5;
      add_jobs ()
    end
  in
  let adder = Domain.spawn add_jobs in
  Pool.run pool (fun () ->
      seen := 0;
      for _ = 1 to forks do
        ignore (Fork_join.both ignore ignore : unit * unit)
      done);
  Atomic.set is_over true;
  Domain.join adder;
  Alcotest.(check int) "forks" forks !seen;
  Pool.close pool;
  Hooks.installed := before

let () =
  Alcotest.run "inside hooks"
    [ ("forks", [ Test_support.Watchdog.case "while jobs wait" each_fork ]) ]
