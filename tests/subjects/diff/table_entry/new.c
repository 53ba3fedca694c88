// One entry of a table is another one; it is read for one index.
// $ printf 'aa' | program
// diff: --first --time 60 --ignore sanitizers
// difference: output unclassified
#include <stdio.h>

static const unsigned char weights[64] = { //~ shown
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
    17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 77, 28, 29, 30, 31, 32,
};

int main(void) {
  int c = getchar();
  if (c < 0)
    return 2;
  printf("%d\n", weights[c & 63]);
  return 0;
}
