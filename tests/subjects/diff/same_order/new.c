// Addition in another order.
// $ printf 'aaaabbbb' | program
// diff: --time 4 --ignore sanitizers
#include <stdio.h>

int main(void) {
  unsigned in[2];
  if (fread(in, sizeof in, 1, stdin) != 1)
    return 2;
  printf("%u\n", 3 + in[1] + in[0]); //~ silent
  return 0;
}
