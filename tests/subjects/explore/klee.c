// A program written for KLEE: its objects, what it assumes, and errors of its own making.
// explore: --ktest
// finds: user.err assertion-failure
// exits: 0 1 5 -6
#include <klee/klee.h>

int main(void) {
  unsigned x;
  unsigned char letters[4];
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(letters, sizeof letters, "letters");
  klee_assume(x > 1000);
  klee_prefer_cex(letters, letters[0] == 'p');
  if (x < 1000)
    return 9;
  if (x == 1234)
    klee_silent_exit(3);
  if (letters[1] == 'r')
    klee_report_error(__FILE__, __LINE__, "an r", "user.err"); //~ user.err
  klee_assert(x != 77777); //~ assertion-failure
  if (letters[2] == letters[3] && letters[2] == '!')
    return 5;
  return 0;
}
