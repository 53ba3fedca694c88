// The old version branches on a constant, the new one on the input.
// $ printf 'aaaa' | program
// diff: --first --time 60 --ignore sanitizers
// difference: output unclassified
#include <stdio.h>

int main(void) {
  unsigned x;
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  unsigned y = x ^ 0x61616164; //~ shown
  if (y == 0x01020304)
    puts("equal");
  puts("done");
  return 0;
}
