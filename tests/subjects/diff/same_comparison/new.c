// A bound that is said in two ways.
// $ printf 'aaaa' | program
// diff: --time 4 --ignore sanitizers
#include <stdio.h>

int main(void) {
  unsigned x;
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  puts(x <= 999 ? "small" : "large"); //~ silent
  return 0;
}
