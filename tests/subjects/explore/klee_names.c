// Objects of one name, and without a name: each is told apart, and the tests replay.
// explore: --ktest
// paths: 4
// exits: 0 2 3
#include <klee/klee.h>

int main(void) {
  unsigned char v[2];
  klee_make_symbolic(&v[0], 1, "v");
  klee_make_symbolic(&v[1], 1, "v");
  int unnamed = klee_int("");
  if (v[0] == 5 && v[1] == 7)
    return 3;
  if (v[0] != 5 && unnamed == 9)
    return 2;
  return 0;
}
