(* The launcher of MPI: mpirun, or what the variable MPIRUN names, if the library was built with MPI.
   Tests may run as root, and with more ranks than there are cores. *)

let name = match Sys.getenv_opt "MPIRUN" with Some n when n <> "" -> n | Some _ | None -> "mpirun"

(* Not known to the ranks, which do not ask. *)
let is_there =
  lazy
    (Drover_mpi.mpi <> None && Sys.command (Filename.quote name ^ " --version >/dev/null 2>&1") = 0)

let say () =
  if not (Lazy.force is_there) then
    print_endline "Over MPI: skipped, as the library was built without MPI, or there is no mpirun."

(* Only Open MPI refuses to start more ranks than there are cores. *)
let is_open_mpi =
  Option.fold Drover_mpi.mpi ~none:false ~some:(String.starts_with ~prefix:"Open MPI")

let command n = [ name; "-n"; string_of_int n ] @ if is_open_mpi then [ "--oversubscribe" ] else []
let bindings = [ "OMPI_ALLOW_RUN_AS_ROOT=1"; "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1" ]
