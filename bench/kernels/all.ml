(* All kernels, in the order in which the bench measures them. *)

let kernels =
  [
    Fib.kernel;
    Fib.kernel_cutoff;
    Nbody.kernel;
    Nbody.kernel_planets;
    Spectralnorm.kernel;
    Life.kernel;
    Mandelbrot.kernel;
    Matmul.kernel;
    Binarytrees.kernel;
    Mergesort.kernel;
    Index.kernel;
    Sieve.kernel;
  ]
  @ For_loops.kernels @ Array_loops.kernels @ Sort.kernels
