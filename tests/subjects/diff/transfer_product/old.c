#include <stdio.h>

int main(void) {
  unsigned x, k;
  if (fread(&x, sizeof x, 1, stdin) != 1 || fread(&k, sizeof k, 1, stdin) != 1)
    return 2;
  unsigned y = x + 1;
  unsigned product = y * (k & 0x40000000);
  printf("%08x\n", product);
  return 0;
}
