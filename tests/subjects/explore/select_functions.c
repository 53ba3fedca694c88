// A function by a choice without a branch: both are called.
// explore: --sym-stdin 1
// covers: all
// exits: 0 1 2
#include <stdio.h>

static int up(int c) { return c == 'Z' ? 1 : 0; }
static int down(int c) { return c == 'z' ? 2 : 0; }

int main(void) {
  int c = getchar();
  int (*turn)(int) = c < 'a' ? up : down;
  if (turn(c) == 1)
    return 1;
  if (turn(c) == 2)
    return 2;
  return 0;
}
