#include <stdio.h>

int main(void) {
  unsigned x;
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  unsigned y = (x & 0xffff) | (x & 0x10000);
  printf("%08x\n", y & 0x00030000 ? y ^ x : 0);
  return 0;
}
