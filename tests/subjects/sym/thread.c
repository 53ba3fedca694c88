// Another thread meets symbolic data: it computes without it, and that is said.
// args: a
// loses: thread
// Only the first thread has expressions.
#include <stdio.h>
#include <pthread.h>

static int shared;

static void *change(void *unused) {
  shared += 1;
  return unused;
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  pthread_t thread;
  shared = argv[1][0];
  if (pthread_create(&thread, NULL, change, NULL))
    return 1;
  pthread_join(thread, NULL);
  if (shared == 'x') //~ not symbolic
    puts("x");
  else
    puts("other");
  return 0;
}
