// A check was removed. Nothing of the new version is executed in its place.
// $ printf 'aaaa' | program
// diff: --first --time 60 --ignore sanitizers
// difference: exit unclassified
#include <stdio.h>

int main(void) {
  unsigned x;
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  puts("done");
  return 0;
}
