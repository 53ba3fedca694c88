// A handler is called without meanings, and leaves those of the program alone.
// args: a
#include <stdio.h>
#include <signal.h>

static volatile sig_atomic_t seen;

static void handle(int number) {
  if (number == SIGUSR1) //~ not symbolic
    seen = 1;
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  signal(SIGUSR1, handle);
  int c = argv[1][0];
  raise(SIGUSR1);
  if (c == 'x' || seen == 0) //~ symbolic
    puts("x");
  else
    puts("other");
  return 0;
}
