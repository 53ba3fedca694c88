// A call through a table of functions: each of them is another value of the pointer.
// explore: --sym-stdin 1
// exits: 1 10 11 12 13
// covers: all
#include <unistd.h>

static int a(void) { return 10; }
static int b(void) { return 11; }
static int c(void) { return 12; }
static int d(void) { return 13; }
static int (*functions[4])(void) = {a, b, c, d};

int main(void) {
  unsigned char which;
  if (read(0, &which, 1) != 1)
    return 1;
  return functions[which & 3]();
}
