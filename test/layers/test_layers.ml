(* The house keeps its rules, and the checker would notice if it did not. *)

let violation = Alcotest.testable Rules.pp ( = )

(* Checks a house of [files], pairs of a path and a text. *)
let check_tree files = Folder.with_tree files Rules.check

(* A small house in order, which the cases below add a breach to. *)
let sound =
  [
    ("src/drover/dune", "(library (name drover) (public_name drover) (libraries threads.posix))");
    ("src/drover/drover.mli", "val run : unit -> unit");
    ("src/drover/drover.ml", "let run () = Loops.run (Chan.make ())");
    ("src/lockfree/deque.ml", "let make () = Domain.cpu_relax () (* not Domain.spawn *)");
    ( "src/engine/pools/pool.ml",
      "let start f = ignore (Effect.perform, Domain.spawn f, Deque.make ())" );
    ("src/drover/loops/loops.ml", "let run () = Pool.start ignore");
    ("src/drover/sync/chan.ml", "let make () = Pool.start (fun () -> ignore \"Obj.magic\")");
    ( "src/batched/dune",
      "(library (name drover_batched) (public_name drover.batched) (libraries drover))" );
    ("src/batched/counter.ml", "let run = Drover.run");
    ( "src/cli/dune",
      "; the command\n(executable (name main) (libraries drover drover.batched \"fmt\"))" );
    ("src/cli/main.ml", "let () = ignore (Domain.spawn Drover.run)");
  ]

let catches name files expected =
  Alcotest.test_case name `Quick @@ fun () ->
  let found = List.map (fun { Rules.file; uses; _ } -> (file, uses)) (check_tree (sound @ files)) in
  Alcotest.(check (list (pair string string))) "breaches" expected found

let planted =
  [
    catches "nothing in a house in order" [] [];
    catches "loop that uses sync"
      [ ("src/drover/loops/sort.ml", "open Chan") ]
      [ ("src/drover/loops/sort.ml", "Chan of src/drover/sync") ];
    catches "sync that uses loop, in an interface"
      [ ("src/drover/sync/batch.mli", "val size : Loops.t") ]
      [ ("src/drover/sync/batch.mli", "Loops of src/drover/loops") ];
    catches "an inner module that uses the façade"
      [ ("src/drover/sync/latch.ml", "let f = Drover.run") ]
      [ ("src/drover/sync/latch.ml", "Drover of src/drover") ];
    catches "a room of the engine that uses one above it"
      [ ("src/engine/sharing/search.ml", "let start = Pool.start") ]
      [ ("src/engine/sharing/search.ml", "Pool of src/engine/pools") ];
    catches "effects outside the engine"
      [ ("src/lockfree/inbox.ml", "let f e = Stdlib.Effect.perform e") ]
      [ ("src/lockfree/inbox.ml", "Effect") ];
    catches "a domain started outside the engine"
      [ ("src/batched/map.ml", "let f = Domain.spawn") ]
      [ ("src/batched/map.ml", "Domain.spawn") ];
    catches "a domain started through an alias"
      [ ("src/drover/loops/scan.ml", "module D = Domain let f = D.spawn") ]
      [ ("src/drover/loops/scan.ml", "Domain.spawn") ];
    catches "Obj.magic, wherever it is"
      [ ("test/unit/unit_x.ml", "let f x = Obj.magic x") ]
      [ ("test/unit/unit_x.ml", "Obj.magic") ];
    catches "the engine, if it depends on a higher library"
      [ ("src/engine/dune", "(library (name drover_engine) (libraries drover))") ]
      [ ("src/engine/dune", "library drover of src/drover") ];
    catches "a library that depends on a higher one"
      [ ("src/domainslib/dune", "(library (name d) (libraries drover.batched))") ]
      [ ("src/domainslib/dune", "library drover.batched of src/batched") ];
    catches "a program that reaches inside the library"
      [ ("examples/fib.ml", "let f = Drover__Pool.start") ]
      [ ("examples/fib.ml", "Drover__Pool") ];
    catches "a library whose frames are shown"
      [ ("src/seen/call_site.ml", "let libraries = [ \"Drover\" ]") ]
      [ ("src/batched/dune", "Drover_batched") ];
    catches "suppressions of what is not there"
      [
        ( "src/drover/tsan.supp",
          "# Races: meant\n\
           race:camlDrover__Chan.make\n\
           race:camlDrover__Chan.gone\n\
           race_top:camlDrover_lockfree__Gone.\n\
           race_top:src/lockfree/deque.ml\n\
           race_top:src/lockfree/gone.ml\n" );
      ]
      [
        ("src/drover/tsan.supp", "race:camlDrover__Chan.gone");
        ("src/drover/tsan.supp", "race_top:camlDrover_lockfree__Gone.");
        ("src/drover/tsan.supp", "race_top:src/lockfree/gone.ml");
      ];
    catches "a folder that is in no layer"
      [ ("src/drover/misc/utils.ml", "let f x = x"); ("tools/x.ml", "") ]
      [ ("src/drover/misc/utils.ml", "no layer"); ("tools/x.ml", "no layer") ];
  ]

let () =
  let root = Sys.argv.(1) in
  let own () = Alcotest.check (Alcotest.list violation) "breaches" [] (Rules.check root) in
  Alcotest.run
    ~argv:[| Sys.argv.(0) |]
    "layers"
    [ ("house", [ Alcotest.test_case "keeps its rules" `Quick own ]); ("checker catches", planted) ]
