/* See poll.mli: poll(2), which OCaml's own libraries do not have. */

#define _GNU_SOURCE /* ppoll */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>
#include <caml/memory.h>
#include <caml/mlvalues.h>
#include <caml/signals.h>

/* The fields of a request, and its states. */
enum { DESCRIPTOR, FOR_WRITING, STATE };
enum { WAITING, READY, CLOSED };

/* As many have room on the stack. */
#define FEW 64

static int descriptor(value request)
{
  return Int_val(Field(request, DESCRIPTOR));
}

static short events(value request)
{
  return Bool_val(Field(request, FOR_WRITING)) ? POLLOUT : POLLIN;
}

/* Neighbours with the same descriptor share an element: there may be more requests than the system lets
   one poll for. The result is the number of elements. */
static nfds_t ask(value requests, struct pollfd *polled)
{
  nfds_t count = 0;
  for (mlsize_t i = 0; i < Wosize_val(requests); i++) {
    value request = Field(requests, i);
    if (count == 0 || polled[count - 1].fd != descriptor(request))
      polled[count++] = (struct pollfd){ .fd = descriptor(request) };
    polled[count - 1].events |= events(request);
  }
  return count;
}

/* What has failed or is hung up is ready: to read or write does not wait. */
static void answer(value requests, const struct pollfd *polled)
{
  for (mlsize_t i = 0; i < Wosize_val(requests); i++) {
    value request = Field(requests, i);
    if (polled->fd != descriptor(request)) polled++;
    if (polled->revents & POLLNVAL)
      Field(request, STATE) = Val_int(CLOSED);
    else if (polled->revents & (events(request) | POLLERR | POLLHUP))
      Field(request, STATE) = Val_int(READY);
  }
}

/* Without ppoll a wait may be up to a millisecond longer: one that is shorter would be followed by others
   that do not wait at all. */
static int poll_for(struct pollfd *polled, nfds_t count, double seconds)
{
  if (seconds > 1e6) seconds = 1e6;
#if defined(__linux__) || defined(__FreeBSD__) || defined(__OpenBSD__)
  struct timespec time = { .tv_sec = (time_t)seconds };
  time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
  return ppoll(polled, count, &time, NULL);
#else
  return poll(polled, count, (int)ceil(seconds * 1e3));
#endif
}

/* [false] if the system cannot. A look that is over at once keeps the runtime's lock. */
value drover_poll(value requests, value time)
{
  CAMLparam1(requests);
  double seconds = Double_val(time);
  int is_large = Wosize_val(requests) > FEW, is_long = is_large || seconds > 0;
  struct pollfd few[FEW], *polled = few;

  /* May raise, before there is anything to free. */
  if (is_long) caml_process_pending_actions();
  if (is_large) {
    polled = malloc(Wosize_val(requests) * sizeof(struct pollfd));
    if (polled == NULL) CAMLreturn(Val_false);
  }
  nfds_t count = ask(requests, polled);
  if (is_long) caml_enter_blocking_section_no_pending();
  int ready = poll_for(polled, count, seconds);
  int can = ready >= 0 || errno == EINTR;
  if (is_long) caml_leave_blocking_section();
  if (ready > 0) answer(requests, polled);
  if (is_large) free(polled);
  CAMLreturn(Val_bool(can));
}
