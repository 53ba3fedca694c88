// A choice instead of a branch.
// $ printf 'aaaa' | program
// diff: --time 4 --ignore sanitizers
#include <stdio.h>

int main(void) {
  int x, largest;
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  largest = x > 77 ? x : 77; //~ silent
  printf("%d\n", largest);
  return 0;
}
