// The effect is in the exit status only.
// $ printf 'aaaa' | program || true
// diff: --first --time 60 --ignore sanitizers
// difference: exit unclassified
#include <stdio.h>

int main(void) {
  unsigned x;
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  return (x >> 9 & 1) + (x >> 20 & 6); //~ shown
}
