#include <stdio.h>

static void legacy(unsigned x) {
  if (x >> 8 == 0x00c0ffee >> 8)
    puts("legacy");
}

int main(void) {
  unsigned x;
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  if ((x & 1) == 0)
    legacy(x);
  puts("done");
  return 0;
}
