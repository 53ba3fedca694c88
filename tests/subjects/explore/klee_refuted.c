// What is assumed and cannot hold on a path is reported: by what was assumed before, by a branch, or as a constant.
// explore: --ktest
// finds: user.err user.err user.err
// exits: 0 1
#include <klee/klee.h>

int main(void) {
  unsigned x = (unsigned)klee_int("x"), y = (unsigned)klee_int("y");
  klee_assume(x > 10);
  if (y == 42)
    klee_assume(x < 10); //~ user.err
  if (y == 43 && x < 100)
    klee_assume(x >= 100); //~ user.err
  if (y == 44)
    klee_assume(0); //~ user.err
  if (y == 45)
    klee_assume(x == 11);
  return 0;
}
