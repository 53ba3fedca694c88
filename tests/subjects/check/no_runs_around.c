// Nothing may be run around a branch: that is said, although nothing else is left.
//
// check: --branch-runs 0
// test: ./subject ab
// finds: nothing
// leaves: branch-runs
#include <stdio.h>

int main(int count, char **words) {
  if (count > 1 && words[1][0] == 'x')
    puts("x");
  return 0;
}
