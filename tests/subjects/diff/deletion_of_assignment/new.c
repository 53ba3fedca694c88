// An assignment was removed; the variable is used behind another condition.
// $ printf 'aaaaaaaa' | program
// diff: --first --time 60 --ignore sanitizers
// difference: output unclassified
#include <stdio.h>

int main(void) {
  unsigned in[2], state = 1;
  if (fread(in, sizeof in, 1, stdin) != 1)
    return 2;
  if (in[0] == 0x0a0b0c0d) {
    puts("special");
  }
  if (in[1] == 0x04030201)
    printf("%u\n", state);
  return 0;
}
