// The effect is multiplied by a number that is 0 in the test.
// $ printf 'aaaa\000\000\000\000' | program
// diff: --first --time 60 --ignore sanitizers
// difference: output unclassified
#include <stdio.h>

int main(void) {
  unsigned x, k;
  if (fread(&x, sizeof x, 1, stdin) != 1 || fread(&k, sizeof k, 1, stdin) != 1)
    return 2;
  unsigned y = x + 2; //~ shown
  unsigned product = y * (k & 0x40000000);
  printf("%08x\n", product);
  return 0;
}
