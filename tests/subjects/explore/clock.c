// The clock stands still for all runs of an exploration: which of the two bytes is looked at first depends on the time, but
// it is always the same one.
// explore: --jobs 1
// paths: 3
#include <klee/klee.h>
#include <time.h>

int main(void) {
  char bytes[2];
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  int first = now.tv_nsec / 1000 % 2;
  int found = 0;
  if (bytes[first] == 'x')
    if (bytes[1 - first] == 'y')
      found = 1;
  // Played again at another time, a test may find the other one.
  return found - found;
}
