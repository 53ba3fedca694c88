// An object at an address of the program's choice is memory like any other.
// explore: --ktest
// paths: 2
// exits: 0 6
#include <klee/klee.h>

int main(void) {
  int *fixed = (int *)0x20000000;
  klee_define_fixed_object(fixed, sizeof *fixed);
  klee_make_symbolic(fixed, sizeof *fixed, "fixed");
  if (*fixed == 1234567)
    return 6;
  return 0;
}
