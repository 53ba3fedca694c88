// A value that is asked for does not depend on the input; a choice and a range have only their own values.
// explore: --ktest
// exits: 0 1 2 3
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x"), taken = klee_get_value_i32(x);
  if (klee_is_symbolic(taken))
    return 9;
  if (klee_range(3, 5, "range") == 4)
    return 1;
  switch (klee_choose(3)) {
  case 1:
    return 2;
  case 2:
    return 3;
  }
  return 0;
}
