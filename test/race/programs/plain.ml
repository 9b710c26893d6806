let () = Race_suite.Suite.main Drover_programs.All.kernels
