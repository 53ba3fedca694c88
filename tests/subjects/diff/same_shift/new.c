// A shift instead of a product, a mask instead of a remainder.
// $ printf 'aaaa' | program
// diff: --time 4 --ignore sanitizers
#include <stdio.h>

int main(void) {
  unsigned x;
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  printf("%u %u\n", x << 3, x & 15); //~ silent
  return 0;
}
