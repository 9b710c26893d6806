let kernels = Drover_attempts.All.kernels
