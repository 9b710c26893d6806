/* The regions of "bench regions" over OpenMP. "regions KIND STRETCH THREADS TIMES LENGTH..." prints,
   a line for each length, how many times as fast as their serial form regions of so many us are,
   after a stretch of STRETCH us each. bench/probes/regions.ml has the definition. */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { leaves_in_us = 5 };

static long leaf; /* rounds that take 0.2 us */

static void work(long rounds)
{
  unsigned long x = 1;
  for (long i = 0; i < rounds; i++) x = (x * 1103515245 + 12345) & 0x3fffffff;
  volatile unsigned long sink = x;
  (void)sink;
}

/* The least of some times, as others may be at work. */
static long rounds_of_leaf(void)
{
  const long rounds = 1000000;
  double least = 1e9;
  for (int i = 0; i < 10; i++) {
    double start = omp_get_wtime();
    work(rounds);
    double took = omp_get_wtime() - start;
    if (took < least) least = took;
  }
  return rounds * 0.2e-6 / least;
}

static void halves_serial(long leaves)
{
  work(leaf * leaves / 2);
  work(leaf * leaves / 2);
}

static void halves(long leaves)
{
  #pragma omp parallel sections
  {
    work(leaf * leaves / 2);
    #pragma omp section
    work(leaf * leaves / 2);
  }
}

static void tree_serial(long leaves)
{
  if (leaves <= 1) work(leaf);
  else {
    tree_serial(leaves / 2);
    tree_serial(leaves - leaves / 2);
  }
}

static void subtree(long leaves)
{
  if (leaves <= 1) work(leaf);
  else {
    #pragma omp task
    subtree(leaves / 2);
    subtree(leaves - leaves / 2);
    #pragma omp taskwait
  }
}

static void tree(long leaves)
{
  #pragma omp parallel
  #pragma omp single
  subtree(leaves);
}

static void loop_serial(long leaves)
{
  for (long i = 0; i < leaves; i++) work(leaf);
}

static void loop(long leaves)
{
  #pragma omp parallel for schedule(static)
  for (long i = 0; i < leaves; i++) work(leaf);
}

typedef void region(long leaves);

static const struct { const char *name; region *serial, *parallel; } kinds[] = {
  {"halves", halves_serial, halves},
  {"tree", tree_serial, tree},
  {"loop", loop_serial, loop},
};

static double seconds(region *f, long leaves)
{
  double start = omp_get_wtime();
  f(leaves);
  return omp_get_wtime() - start;
}

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double speed_up(region *serial, region *parallel, long stretch, long times, long length)
{
  long leaves = length * leaves_in_us, dropped = times / 5;
  double alone[times], all[times], sum = 0;
  for (long i = 0; i < times; i++) alone[i] = seconds(serial, leaves);
  qsort(alone, times, sizeof *alone, compare);
  double median = (alone[(times - 1) / 2] + alone[times / 2]) / 2;
  for (long i = 0; i < dropped + times; i++) {
    work(stretch * leaves_in_us * leaf);
    double took = seconds(parallel, leaves);
    if (i >= dropped) all[i - dropped] = took;
  }
  /* But for the tenth that took longest. */
  long most = times - times / 10;
  qsort(all, times, sizeof *all, compare);
  for (long i = 0; i < most; i++) sum += all[i];
  return median / (sum / most);
}

static int measure(region *serial, region *parallel, int count, char **numbers)
{
  long stretch = atol(numbers[0]), threads = atol(numbers[1]), times = atol(numbers[2]);
  omp_set_num_threads(threads);
  leaf = rounds_of_leaf();
  for (long i = 0; i < times; i++) parallel(atol(numbers[count - 1]) * leaves_in_us);
  for (int i = 3; i < count; i++)
    printf("%.17g\n", speed_up(serial, parallel, stretch, times, atol(numbers[i])));
  return 0;
}

int main(int argc, char **argv)
{
  for (size_t i = 0; argc > 5 && i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(argv[1], kinds[i].name) == 0)
      return measure(kinds[i].serial, kinds[i].parallel, argc - 2, argv + 2);
  fprintf(stderr, "usage: regions halves|tree|loop STRETCH THREADS TIMES LENGTH...\n");
  return 2;
}
