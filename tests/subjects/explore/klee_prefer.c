// What klee_prefer_cex asks for holds in the tests of a path if it can, the first wishes first.
// explore: --ktest --all-paths
// paths: 2
// exits: 3 70
#include <klee/klee.h>

int main(void) {
  unsigned char c[2];
  klee_make_symbolic(c, sizeof c, "c");
  klee_prefer_cex(c, c[0] == 70);
  klee_prefer_cex(c, c[1] == 3);
  klee_posix_prefer_cex(c, c[1] == 4);
  if (c[0] < 50)
    return c[1];
  return c[0];
}
