// The effect is in what printf writes, and for no input in how much.
// $ printf 'aaaa' | program
// diff: --first --time 60 --ignore sanitizers
// difference: output unclassified
#include <stdio.h>

int main(void) {
  unsigned x;
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  unsigned y = (x & 0xffff) | (x & 0x20000); //~ shown
  printf("%08x\n", y & 0x00030000 ? y ^ x : 0);
  return 0;
}
