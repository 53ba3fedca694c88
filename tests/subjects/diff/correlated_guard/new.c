// On the path of the test x is large, so that the branch before the change cannot be taken. What was decided about x before does not
// matter for the change, and may be decided otherwise.
// $ printf '\377\000\000\000aaaa' | program
// diff: --first --time 60 --ignore sanitizers
// difference: output unclassified
#include <stdio.h>

int main(void) {
  int x, y;
  if (fread(&x, sizeof x, 1, stdin) != 1 || fread(&y, sizeof y, 1, stdin) != 1)
    return 2;
  int large = 0;
  if (x > 200)
    large++;
  if (x < 100 && y == 0x600df00d)
    puts("small, and good"); //~ shown
  printf("%d\n", large);
  return 0;
}
