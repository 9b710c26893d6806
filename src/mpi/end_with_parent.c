/* From now on the system kills this process when its parent ends: for ranks that compute where no thread of
   OCaml's has a turn. To Linux the parent is the thread that has started the process. Elsewhere nothing. */

#ifdef __linux__
#include <signal.h>
#include <sys/prctl.h>
#endif

#include <caml/mlvalues.h>

value drover_mpi_end_with_parent(value unit) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  return unit;
}
