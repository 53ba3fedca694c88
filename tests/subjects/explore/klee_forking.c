// While klee_set_forking is off, the other sides of branches and switches are not looked for; what is assumed must hold.
// explore: --ktest --all-paths
// paths: 3
// exits: 0 8
#include <klee/klee.h>

int main(void) {
  unsigned char c[4];
  int code = 0;
  klee_make_symbolic(c, sizeof c, "c");
  klee_set_forking(0);
  klee_assume(c[0] > 9);
  if (c[1] == 'x')
    code |= 1;
  switch (c[2]) {
  case 'a':
    code |= 2;
    break;
  case 'b':
    code |= 4;
  }
  klee_set_forking(1);
  if (c[3] == 'y')
    code |= 8;
  return code;
}
