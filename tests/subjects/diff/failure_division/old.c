#include <stdio.h>

int main(void) {
  unsigned x;
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  unsigned divisor = (x ^ 0x13577531) | 1;
  volatile unsigned quotient = 1000u / divisor;
  puts(quotient > 5000 ? "much" : "little");
  return 0;
}
