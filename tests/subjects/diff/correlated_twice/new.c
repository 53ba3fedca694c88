// Two earlier decisions about x exclude the change, one by one and together.
// $ printf '\007\000\000\000aaaa' | program
// diff: --first --time 60 --ignore sanitizers
// difference: output unclassified
#include <stdio.h>

int main(void) {
  unsigned x, y, score = 0;
  if (fread(&x, sizeof x, 1, stdin) != 1 || fread(&y, sizeof y, 1, stdin) != 1)
    return 2;
  if (x % 2)
    score += 1;
  if (x < 50)
    score += 2;
  if (x == 0x77777776 && y == 0x01020304)
    score += 8; //~ shown
  printf("%u\n", score);
  return 0;
}
