// The effect is one bit, that of a comparison, which comes out differently for two values of x.
// $ printf 'aaaa' | program
// diff: --first --time 60 --ignore sanitizers
// difference: output unclassified
#include <stdio.h>

int main(void) {
  unsigned x;
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  int less = x < 0x40506072; //~ shown
  putchar('0' + less);
  return 0;
}
