(** Bodies that attract each other, in the forms that teach how to share memory: the serial program
    that visits each pair once; the loop over bodies made parallel as it is, where inner loops write
    what other domains read; and positions split from velocities, with sums kept local. *)

val planets_energy : steps:int -> float
(** [planets_energy ~steps] is the energy of the Sun and four planets after that many steps of 0.01,
    serially. *)

val kernel : Drover_harness.Kernel.t
(** [kernel] is the benchmark with random bodies. *)

val kernel_planets : Drover_harness.Kernel.t
(** [kernel_planets] is the benchmark with the Sun and planets: loops of five iterations, hardly
    worth a fork. *)
