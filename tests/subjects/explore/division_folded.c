// An optimiser makes a comparison of `1 % y`, so that a run with y = 0 may go on behind the division. What it computes there
// means nothing: nobody is to look for the other side of a branch on it.
// explore: --all-paths
// finds: integer-divide-by-zero
// exits: 2 3
#include <klee/klee.h>

int main(void) {
  int y;
  klee_make_symbolic(&y, sizeof y, "y");
  if (y < 0 || y > 1)
    return 3;
  if (1 % y == 0) //~ integer-divide-by-zero
    return 2;
  return 4;
}
