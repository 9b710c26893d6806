/* The binding: what drover-mpi uses of MPI, and nothing else.

   Every call of MPI is made while [lock] is held, by whatever thread; so MPI has to provide
   MPI_THREAD_SERIALIZED. None of them waits for another rank: requests are started, and tested.

   A request has a slot. OCaml tests it for some time ([spin]), and then suspends its task and has it
   watched ([watch]); a thread of C, which is none of OCaml's, so that no garbage collection waits for
   it, tests what is watched, looks for messages to come, and rings a pipe that a thread of OCaml's
   reads. It also sees to it that transfers go on while all of OCaml computes. The more often it finds
   nothing, the longer it naps.

   The data of a request stay where they are: bigarrays outside the heap, and blocks above
   Max_young_wosize, which are allocated by themselves in the major heap and never move. Smaller blocks
   are copied to the slot, and back by [finish]. Whoever starts a request keeps its blocks alive.

   What is done at once needs no slot: NONE stands for that.

   The runtime lock is released while something may take long: where another thread is in MPI, where
   [spin] goes on, and where large transfers are under way, whose memory is copied inside of MPI.

   The end may come while other threads are in here, as the one that listens is. [finalize] sets [over]
   with the lock: from then on nothing is found, nothing is done, and what is started fails. */

#include <fcntl.h>
#include <limits.h>
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <caml/alloc.h>
#include <caml/bigarray.h>
#include <caml/callback.h>
#include <caml/fail.h>
#include <caml/memory.h>
#include <caml/mlvalues.h>
#include <caml/threads.h>

static MPI_Comm values, numbers; /* a communicator each, so that their tags do not meet */
static int over = 0;             /* with the lock */

/* ---- Errors: exceptions with MPI's text. */

static void raise_error(int code) {
  char text[MPI_MAX_ERROR_STRING + 1];
  int length = 0;
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) snprintf(text, sizeof text, "error %d", code);
  text[length] = 0;
  caml_raise_with_string(*caml_named_value("Drover_mpi.Mpi_error"), text);
}

/* ---- The lock: one that spins, because each message takes it. Values of OCaml may move in [enter]. */

static char lock = 0;

static int try_lock(void) { return !__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE); }

static void take_lock(void) {
  while (!try_lock()) sched_yield();
}

static void leave(void) { __atomic_clear(&lock, __ATOMIC_RELEASE); }

static void enter(void) {
  if (!try_lock()) {
    caml_release_runtime_system();
    take_lock();
    caml_acquire_runtime_system();
  }
}

/* ---- Slots */

enum { SMALL = (Max_young_wosize + 1) * sizeof(value), LARGE = 32768 };

struct region {
  void *data;    /* what MPI reads or writes: in the block, or [small] */
  size_t bytes;
  char small[SMALL];
};

struct slot {
  MPI_Request request;
  int index, done, error, watched, is_large;
  struct region from, to;
  struct slot *next; /* free, or watched */
};

enum { CHUNK = 64, CHUNKS = 4096, TESTS = 20 };
static struct slot *slots[CHUNKS]; /* CHUNK each; they never move */
static int chunks = 0, large = 0;  /* how many large requests are under way */
static struct slot *free_slots = NULL, *watched = NULL;

enum { NONE = Val_int(-1) };

static struct slot *slot_of(value index) {
  int i = Int_val(index);
  return &slots[i / CHUNK][i % CHUNK];
}

static void hold(struct region *r, value block, int read) {
  r->data = r->small;
  r->bytes = 0;
  if (Is_long(block)) return;
  if (Tag_val(block) == Custom_tag) {
    r->data = Caml_ba_data_val(block);
    r->bytes = caml_ba_byte_size(Caml_ba_array_val(block));
  } else {
    r->bytes = Tag_val(block) == String_tag ? caml_string_length(block) : Bsize_wsize(Wosize_val(block));
    if (Wosize_val(block) > Max_young_wosize) r->data = (void *)block;
    else if (read) memcpy(r->small, (void *)block, r->bytes);
  }
}

/* With the lock. */
static struct slot *new_slot(value from, value to, int reads_to) {
  if (over) { leave(); caml_failwith("Drover_mpi: the job of MPI has ended"); }
  if (!free_slots) {
    if (chunks == CHUNKS) { leave(); caml_failwith("Drover_mpi: too many requests at a time"); }
    struct slot *chunk = caml_stat_calloc_noexc(CHUNK, sizeof(struct slot));
    if (!chunk) { leave(); caml_raise_out_of_memory(); }
    slots[chunks] = chunk;
    for (int i = 0; i < CHUNK; i++) {
      chunk[i].index = chunks * CHUNK + i;
      chunk[i].next = free_slots;
      free_slots = &chunk[i];
    }
    chunks++;
  }
  struct slot *s = free_slots;
  free_slots = s->next;
  s->request = MPI_REQUEST_NULL;
  s->done = s->error = s->watched = 0;
  hold(&s->from, from, 1);
  hold(&s->to, to, reads_to);
  s->is_large = s->from.bytes > LARGE || s->to.bytes > LARGE;
  large += s->is_large;
  return s;
}

static void copy_back(struct slot *s, value block) {
  if (Is_block(block) && s->to.data == s->to.small) memcpy((void *)block, s->to.small, s->to.bytes);
}

static void free_slot(struct slot *s) {
  large -= s->is_large;
  s->next = free_slots;
  free_slots = s;
}

/* With the lock, in any thread. */
static int test(struct slot *s) {
  if (!s->done && !over) {
    int code = MPI_Test(&s->request, &s->done, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS) { s->error = code; s->done = 1; }
  }
  return s->done;
}

/* Leaves the lock. The slot of a request that was started, as [code] says, and is tested some times at
   once; [block] is what it receives into. */
static value started(struct slot *s, int code, int tests, value block) {
  if (code == MPI_SUCCESS)
    while (!test(s) && --tests > 0);
  else { s->error = code; s->done = 1; }
  if (!s->done) {
    leave();
    return Val_int(s->index);
  }
  code = s->error;
  copy_back(s, block);
  free_slot(s);
  leave();
  if (code != MPI_SUCCESS) raise_error(code);
  return NONE;
}

static double seconds_of(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static double seconds(void) { return seconds_of(CLOCK_MONOTONIC); }

/* ---- The message that comes next */

static int has_message = 0, source, tag, length;
static MPI_Message message;

static int look_for_message(void) {
  if (over) return 0;
  if (!has_message) {
    MPI_Status status;
    int code = MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, values, &has_message, &message, &status);
    if (code != MPI_SUCCESS) has_message = 0;
    else if (has_message) {
      MPI_Get_count(&status, MPI_BYTE, &length);
      source = status.MPI_SOURCE;
      tag = status.MPI_TAG;
    }
  }
  return has_message;
}

/* ---- The thread */

static pthread_t thread;
static int bell[2];
static volatile int stops = 0, rung = 0;

/* In ns; the system adds some 50,000. The last is for when OCaml computes, and no large request is under
   way: looking more often would cost it more than messages gain. A nap grows with the time that has
   passed without news, so that these are late by a fifth of that time at most. */
enum { SHORTEST = 10000, LONGEST = 100000, LONGEST_BUSY = 1000000 };

static void ring(void) {
  if (!rung) {
    rung = 1;
    if (write(bell[1], "!", 1) < 0) rung = 0;
  }
}

static int has_news(void) {
  int news = look_for_message();
  for (struct slot **p = &watched; *p;) {
    struct slot *s = *p;
    if (test(s)) { *p = s->next; s->watched = 0; news = 1; }
    else p = &s->next;
  }
  return news;
}

/* Whether the process has computed for half of the time since the last call. */
static int computes(void) {
  static double last_time = 0, last_used = 0;
  double time = seconds(), used = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  int result = used - last_used > (time - last_time) / 2;
  last_time = time;
  last_used = used;
  return result;
}

static void *progress(void *unused) {
  long nap = SHORTEST;
  (void)unused;
  while (!stops) {
    int busy = computes();
    take_lock();
    int news = has_news();
    if (news) ring();
    long longest = large || !busy ? LONGEST : LONGEST_BUSY;
    leave();
    nap = news ? SHORTEST : nap + nap / 4 < longest ? nap + nap / 4 : longest;
    struct timespec t = {0, nap};
    nanosleep(&t, NULL);
  }
  return NULL;
}

/* No signal of the program's is to end up in it. */
static int start_thread(void) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int code = pthread_create(&thread, NULL, progress, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return code;
}

/* ---- Begin and end */

static int set_up(int *provided) {
  int code = MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, provided);
  if (code == MPI_SUCCESS) code = MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (code == MPI_SUCCESS) code = MPI_Comm_dup(MPI_COMM_WORLD, &values); /* with the handler */
  if (code == MPI_SUCCESS) code = MPI_Comm_dup(MPI_COMM_WORLD, &numbers);
  return code;
}

/* (rank, size, what to read when there is news) */
value drover_mpi_init(value unit) {
  CAMLparam1(unit);
  CAMLlocal1(result);
  int provided = 0, rank = 0, size = 0;
  caml_release_runtime_system();
  int code = set_up(&provided);
  caml_acquire_runtime_system();
  if (code != MPI_SUCCESS) raise_error(code);
  if (provided < MPI_THREAD_SERIALIZED)
    caml_failwith("Drover_mpi.run: this MPI does not provide MPI_THREAD_SERIALIZED; it must be built with threads");
  MPI_Comm_rank(values, &rank);
  MPI_Comm_size(values, &size);
  if (pipe(bell) != 0) caml_failwith("Drover_mpi.run: no pipe is to be had");
  fcntl(bell[0], F_SETFD, FD_CLOEXEC);
  fcntl(bell[1], F_SETFD, FD_CLOEXEC);
  if (start_thread() != 0) caml_failwith("Drover_mpi.run: no thread is to be had");
  result = caml_alloc_tuple(3);
  Store_field(result, 0, Val_int(rank));
  Store_field(result, 1, Val_int(size));
  Store_field(result, 2, Val_int(bell[0]));
  CAMLreturn(result);
}

/* The bell is heard: it may ring again. */
value drover_mpi_heard(value unit) {
  (void)unit;
  rung = 0;
  return Val_unit;
}

value drover_mpi_finalize(value unit) {
  CAMLparam1(unit);
  stops = 1;
  caml_release_runtime_system();
  pthread_join(thread, NULL);
  take_lock();
  over = 1;
  leave();
  MPI_Finalize();
  caml_acquire_runtime_system();
  CAMLreturn(Val_unit);
}

/* A thread may hang inside of MPI with the lock: this is the end in any case. MPICH's launcher drops
   what is on its way on stderr then, so that is given some time. */
value drover_mpi_abort(value code) {
  struct timespec on_its_way = {0, 100000000};
  nanosleep(&on_its_way, NULL);
  for (int i = 0; i < 100 && !try_lock(); i++) {
    struct timespec t = {0, 1000000};
    nanosleep(&t, NULL);
  }
  if (!over) MPI_Abort(MPI_COMM_WORLD, Int_val(code));
  _exit(Int_val(code));
}

value drover_mpi_version(value unit) {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  (void)unit;
  MPI_Get_library_version(text, &length);
  return caml_copy_string(text);
}

/* ---- Messages of bytes */

static int fits(size_t count) { return count <= INT_MAX; }

value drover_mpi_send(value bytes, value dest, value tag_) {
  CAMLparam1(bytes);
  if (!fits(caml_string_length(bytes))) caml_failwith("Drover_mpi: a message of 2 GB or more; divide it");
  enter();
  struct slot *s = new_slot(bytes, Val_unit, 0);
  int code = MPI_Isend(s->from.data, s->from.bytes, MPI_BYTE, Int_val(dest), Int_val(tag_), values, &s->request);
  CAMLreturn(started(s, code, 1, Val_unit));
}

/* (source, tag, length) of the next message, or (). */
value drover_mpi_probe(value unit) {
  CAMLparam1(unit);
  CAMLlocal1(result);
  int there;
  if (large) {
    caml_release_runtime_system();
    take_lock();
    there = look_for_message();
    leave();
    caml_acquire_runtime_system();
  } else {
    enter();
    there = look_for_message();
    leave();
  }
  if (!there) CAMLreturn(Val_none);
  result = caml_alloc_tuple(3);
  Store_field(result, 0, Val_int(source));
  Store_field(result, 1, Val_int(tag));
  Store_field(result, 2, Val_int(length));
  CAMLreturn(caml_alloc_some(result));
}

/* Receives the message that was found into bytes of its length. */
value drover_mpi_take(value bytes) {
  CAMLparam1(bytes);
  enter();
  struct slot *s = new_slot(Val_unit, bytes, 0);
  has_message = 0;
  int code = MPI_Imrecv(s->to.data, length, MPI_BYTE, &message, &s->request);
  CAMLreturn(started(s, code, 1, bytes));
}

/* ---- Requests */

value drover_mpi_test(value index) {
  CAMLparam1(index);
  struct slot *s = slot_of(index);
  int done;
  if (s->is_large) {
    caml_release_runtime_system();
    take_lock();
    done = test(s);
    leave();
    caml_acquire_runtime_system();
  } else {
    enter();
    done = test(s);
    leave();
  }
  CAMLreturn(Val_bool(done));
}

/* Whether it is done soon. What has lately been worth the time decides how soon: of small requests, and
   of large ones, which take long in any case. In seconds. */
static struct budget { double now; const double least, most; }
  small_budget = {50e-6, 5e-6, 200e-6}, large_budget = {1e-3, 20e-6, 5e-3};

value drover_mpi_spin(value index) {
  CAMLparam1(index);
  struct slot *s = slot_of(index);
  struct budget *b = s->is_large ? &large_budget : &small_budget;
  int done;
  caml_release_runtime_system();
  double end = seconds() + b->now;
  do {
    take_lock();
    done = test(s);
    leave();
  } while (!done && seconds() < end);
  caml_acquire_runtime_system();
  double next = done ? 2 * b->now : b->now / 2;
  b->now = next < b->least ? b->least : next > b->most ? b->most : next;
  CAMLreturn(Val_bool(done));
}

/* From now on the bell rings when it is done. */
value drover_mpi_watch(value index) {
  CAMLparam1(index);
  struct slot *s = slot_of(index);
  enter();
  if (!s->watched) {
    s->watched = 1;
    s->next = watched;
    watched = s;
  }
  leave();
  CAMLreturn(Val_unit);
}

static void unwatch(struct slot *s) {
  if (s->watched)
    for (struct slot **p = &watched; *p; p = &(*p)->next)
      if (*p == s) { *p = s->next; break; }
  s->watched = 0;
}

/* Once it is done. [block] is what it receives into, or (). */
value drover_mpi_finish(value index, value block) {
  CAMLparam2(index, block);
  struct slot *s = slot_of(index);
  enter();
  unwatch(s);
  int code = s->error;
  copy_back(s, block);
  free_slot(s);
  leave();
  if (code) raise_error(code);
  CAMLreturn(Val_unit);
}

/* ---- Numbers. The order of types and of operations is that of over_mpi.mpi.ml. */

static MPI_Datatype type_of(value code) {
  switch (Int_val(code)) {
  case 0: return MPI_DOUBLE;
  case 1: return MPI_FLOAT;
  case 2: return MPI_INT32_T;
  case 3: return MPI_INT64_T;
  case 4: return MPI_INT8_T;
  case 5: return MPI_UINT8_T;
  case 6: return MPI_INT16_T;
  case 7: return MPI_UINT16_T;
  case 8: return MPI_C_FLOAT_COMPLEX;
  default: return MPI_C_DOUBLE_COMPLEX;
  }
}

static MPI_Op op_of(value code) {
  switch (Int_val(code)) {
  case 0: return MPI_SUM;
  case 1: return MPI_PROD;
  case 2: return MPI_MIN;
  default: return MPI_MAX;
  }
}

/* In bytes, in the order of [type_of]. */
static const int sizes[] = {8, 4, 4, 8, 1, 1, 2, 2, 8, 16};

static int count_of(struct region *r, value type) {
  size_t count = r->bytes / sizes[Int_val(type)];
  return fits(count) ? (int)count : -1;
}

/* Leaves the lock. */
static void refuse(struct slot *s) {
  free_slot(s);
  leave();
  caml_failwith("Drover_mpi: an array of more than 2^31 - 1 numbers; divide it");
}

value drover_mpi_send_numbers(value block, value type_, value dest, value tag_) {
  CAMLparam1(block);
  MPI_Datatype type = type_of(type_);
  enter();
  struct slot *s = new_slot(block, Val_unit, 0);
  int count = count_of(&s->from, type_);
  if (count < 0) refuse(s);
  int code = MPI_Isend(s->from.data, count, type, Int_val(dest), Int_val(tag_), numbers, &s->request);
  CAMLreturn(started(s, code, s->is_large ? 1 : TESTS, Val_unit));
}

value drover_mpi_receive_numbers(value block, value type_, value source_, value tag_) {
  CAMLparam1(block);
  MPI_Datatype type = type_of(type_);
  enter();
  struct slot *s = new_slot(Val_unit, block, 0);
  int count = count_of(&s->to, type_);
  if (count < 0) refuse(s);
  int code = MPI_Irecv(s->to.data, count, type, Int_val(source_), Int_val(tag_), numbers, &s->request);
  CAMLreturn(started(s, code, s->is_large ? 1 : TESTS, block));
}

/* [what] is (operation of the collective, of the reduction, type, root). */
value drover_mpi_collective(value what, value from, value to) {
  CAMLparam3(what, from, to);
  enter();
  int kind = Int_val(Field(what, 0)), root = Int_val(Field(what, 3)), size, code;
  MPI_Op op = op_of(Field(what, 1));
  MPI_Datatype type = type_of(Field(what, 2));
  MPI_Comm_size(numbers, &size);
  struct slot *s = new_slot(from, to, kind == 1);
  int in = count_of(&s->from, Field(what, 2)), out = count_of(&s->to, Field(what, 2));
  void *a = s->from.data, *b = s->to.data;
  MPI_Request *r = &s->request;
  if (in < 0 || out < 0) refuse(s);
  switch (kind) {
  case 0: code = MPI_Ibarrier(numbers, r); break;
  case 1: code = MPI_Ibcast(b, out, type, root, numbers, r); break;
  case 2: code = MPI_Iscatter(a, out, type, b, out, type, root, numbers, r); break;
  case 3: code = MPI_Igather(a, in, type, b, in, type, root, numbers, r); break;
  case 4: code = MPI_Iallgather(a, in, type, b, in, type, numbers, r); break;
  case 5: code = MPI_Ireduce(a, b, in, type, op, root, numbers, r); break;
  case 6: code = MPI_Iallreduce(a, b, in, type, op, numbers, r); break;
  default: code = MPI_Ialltoall(a, in / size, type, b, out / size, type, numbers, r); break;
  }
  CAMLreturn(started(s, code, s->is_large ? 1 : TESTS, to));
}
