let seed () = Option.bind (Sys.getenv_opt "QCHECK_SEED") int_of_string_opt

let run tests =
  Option.iter QCheck_base_runner.set_seed (seed ());
  QCheck_base_runner.run_tests_main tests

let agree show ~expected ~found =
  expected = found
  || QCheck2.Test.fail_reportf "expected %s@.found    %s" (show expected) (show found)
