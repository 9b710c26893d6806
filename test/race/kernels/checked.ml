let () = Race_suite.Suite.main Drover_kernels_checked.All.kernels
