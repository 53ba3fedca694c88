// A table instead of a computation.
// $ printf 'a' | program
// diff: --time 4 --ignore sanitizers
#include <stdio.h>

int main(void) {
  int c = getchar();
  if (c < 0)
    return 2;
  printf("%d\n", (int[]){0, 1, 4, 9}[c & 3]); //~ silent
  return 0;
}
