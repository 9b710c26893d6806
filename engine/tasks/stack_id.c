/* See stack_id.mli. */

#define CAML_INTERNALS
#include <caml/mlvalues.h>
#include <caml/fiber.h>

value drover_stack_id(value unit)
{
  (void)unit;
  return Val_long(Caml_state->current_stack->id);
}
