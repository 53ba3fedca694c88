// The effect is in the side of a choice that the test does not take; there is no branch.
// $ printf 'aaaaaaaa' | program
// diff: --first --time 60 --ignore sanitizers
// difference: output unclassified
#include <stdio.h>

int main(void) {
  unsigned x, which;
  if (fread(&x, sizeof x, 1, stdin) != 1 || fread(&which, sizeof which, 1, stdin) != 1)
    return 2;
  unsigned a = x >> 4, b = x; //~ shown
  unsigned y = which == 0x0badcafe ? a : b;
  fwrite(&y, sizeof y, 1, stdout);
  return 0;
}
