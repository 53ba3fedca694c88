// The new version divides by what may be 0.
// $ printf 'aaaa' | program
// diff: --first --time 60
// difference: crash regression
#include <stdio.h>

int main(void) {
  unsigned x;
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  unsigned divisor = x ^ 0x13577531; //~ shown
  volatile unsigned quotient = 1000u / divisor;
  puts(quotient > 5000 ? "much" : "little");
  return 0;
}
