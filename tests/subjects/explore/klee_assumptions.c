// Inputs are solved for what is assumed one after the other, and each solved input counts as having taken its branch.
// explore: --ktest --all-paths
// paths: 4
// exits: 0 7
#include <klee/klee.h>

int main(void) {
  unsigned x, y;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  klee_assume(x * 3 == 99);
  klee_assume(y > x);
  klee_assume(y - x < 100);
  if (y == 77)
    return 7;
  return 0;
}
