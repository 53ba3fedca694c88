// A program can end so that nobody is told, or with an error of its own making.
// reaches: symbolic, value, last
// ends: silent, error two at line 20 (user.err), assumption
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  int x = klee_int("x");
  if (klee_is_symbolic(x))
    puts("symbolic");
  if (!klee_is_symbolic(klee_get_value_i32(x)))
    puts("value");
  fflush(stdout);
  klee_open_merge();
  klee_prefer_cex(&x, x > 5);
  klee_close_merge();
  if (x == 1)
    klee_silent_exit(3);
  if (x == 2)
    klee_report_error(__FILE__, __LINE__, "two", "user.err");
  if (x == 3)
    klee_assume(x != 3);
  if (x == 77)
    puts("last");
  klee_assert(x != 4);
  return 0;
}
