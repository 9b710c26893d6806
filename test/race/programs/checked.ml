let () = Race_suite.Suite.main Drover_programs_checked.All.kernels
