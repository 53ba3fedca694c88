#include <stdio.h>

int main(void) {
  unsigned x;
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  printf("%u %u\n", x * 8, x % 16);
  return 0;
}
