// What a program reports of itself is one finding, on each path that leads to it a test of its own.
// Needed: klee_report_error ends the path with its kind, file and line; both branches before it are solved for.
// explore: --all-paths
// paths: 4
// finds: my.err
#include "klee/klee.h"

int main(void) {
  int x, y;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  volatile int seen = 0;
  if (x)
    seen = 1;
  if (y)
    klee_report_error(__FILE__, __LINE__, "my error", "my.err"); //~ my.err
  return seen;
}
