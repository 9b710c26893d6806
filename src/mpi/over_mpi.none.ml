(* Where no MPI was found. *)

let is_there = false

type connection = { rank : int; size : int }

let connect () : connection =
  failwith
    "Drover_mpi.run: a launcher of MPI has started this program, but it was built without MPI. \
     Install an MPI with mpicc, and build drover-mpi again"

let start (_ : connection) (_ : Transport.listener) : Transport.t = assert false (* no connection *)
let version () = "none"
