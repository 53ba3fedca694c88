// Functions of KLEE's that the program declares itself, without the header, are linked to it.
// explore: --ktest
// paths: 3
// exits: 0 1 2
#include <stdint.h>

extern void klee_make_symbolic(void *object, unsigned long n, const char *name);
extern uintptr_t klee_choose(uintptr_t n);

int main(void) {
  unsigned char x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x == 200)
    return 2;
  if (klee_choose(2) == 1)
    return 1;
  return 0;
}
