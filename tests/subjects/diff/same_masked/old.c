#include <stdio.h>

int main(void) {
  unsigned x;
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  unsigned y = x | 0x100;
  printf("%u\n", y & 0xff);
  return 0;
}
