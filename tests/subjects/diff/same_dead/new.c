// What changed is computed and never used.
// $ printf 'aaaa' | program
// diff: --time 4 --ignore sanitizers
#include <stdio.h>

int main(void) {
  unsigned x;
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  volatile unsigned unused = x + 2; //~ silent
  (void)unused;
  puts("done");
  return 0;
}
