// Nothing may be run around a branch: that is said, although nothing else is left.
//
// check: --branch-runs 0
// test: ./subject ab
// finds: nothing
// asks: bounds 1
// leaves: branch-runs
#include <stdio.h>

static int table[16];

int main(int count, char **words) {
  if (count > 1 && words[1][0] == 'x')
    puts("x");
  return count > 1 && table[words[1][1] & 15];
}
