// A guard that returns instead of a block.
// $ printf 'aaaa' | program
// diff: --time 4 --ignore sanitizers
#include <stdio.h>

static void show(unsigned x) {
  if (x <= 5) //~ silent
    return;
  printf("%u\n", x / 2);
}

int main(void) {
  unsigned x;
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  show(x);
  return 0;
}
