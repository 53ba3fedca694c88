// What changed is in bits that are masked later, for all inputs.
// $ printf 'aaaa' | program
// diff: --time 4 --ignore sanitizers
#include <stdio.h>

int main(void) {
  unsigned x;
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  unsigned y = x | 0x300; //~ silent
  printf("%u\n", y & 0xff);
  return 0;
}
