// With --silent-klee-assume a path just ends where something is assumed that cannot hold.
// explore: --ktest --silent-klee-assume
// exits: 0
#include <klee/klee.h>

int main(void) {
  unsigned x = (unsigned)klee_int("x"), y = (unsigned)klee_int("y");
  klee_assume(x > 10);
  if (y == 42)
    klee_assume(x < 10);
  if (y == 43 && x < 100)
    klee_assume(x >= 100);
  if (y == 44)
    klee_assume(0);
  if (y == 45)
    klee_assume(x == 11);
  return 0;
}
