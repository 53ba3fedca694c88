#include <stdio.h>

int main(void) {
  unsigned x, which;
  if (fread(&x, sizeof x, 1, stdin) != 1 || fread(&which, sizeof which, 1, stdin) != 1)
    return 2;
  unsigned a = x >> 3, b = x;
  unsigned y = which == 0x0badcafe ? a : b;
  fwrite(&y, sizeof y, 1, stdout);
  return 0;
}
