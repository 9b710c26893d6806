/* See this_thread.mli. OCaml has no storage of a thread's own; wherever its runtime works, C has. */

#include <caml/mlvalues.h>

#ifdef __ELF__
#define AT_A_FIXED_OFFSET __attribute__((tls_model("initial-exec")))
#else
#define AT_A_FIXED_OFFSET
#endif

static _Thread_local value tag AT_A_FIXED_OFFSET = Val_int(0);

value drover_thread_tag(value unit)
{
  (void)unit;
  return tag;
}

value drover_thread_set_tag(value number)
{
  tag = number;
  return Val_unit;
}
