let kernels = [ K_means.kernel; Words.kernel; Page_rank.kernel; Hull.kernel ]
let () = Race_suite.Suite.main kernels
