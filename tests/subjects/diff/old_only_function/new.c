// A whole function was removed with the branch that called it. Only the old version has it.
// $ printf 'aaaa' | program
// diff: --first --time 60 --ignore sanitizers
// difference: output unclassified
#include <stdio.h>

int main(void) {
  unsigned x;
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  puts("done");
  return 0;
}
