/* See frame.mli. The runtime knows where the values lie that a frame still needs. */

#define CAML_INTERNALS
#include <caml/mlvalues.h>
#include <caml/fiber.h>

struct search { value wanted; int is_found; };

static void look(void *data, value root, volatile value *place)
{
  struct search *search = data;
  (void)place;
  if (root == search->wanted) search->is_found = 1;
}

value drover_frame_holds(value wanted)
{
  struct search search = { wanted, 0 };
  caml_scan_stack(&look, 0, &search, Caml_state->current_stack, Caml_state->gc_regs);
  return Val_bool(search.is_found);
}
