// A value that is asked for is one that the input has: it is no constraint, and other values are no other paths.
// explore: --ktest --all-paths
// paths: 2
// exits: 0 4
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x"), sum = 0;
  for (int i = klee_get_value_i32(x) & 3; i >= 0; i--)
    sum += (int)klee_get_valuel(x) & 1;
  if (klee_is_symbolic(sum))
    return 9;
  if (x == 12344)
    return 4;
  return 0;
}
