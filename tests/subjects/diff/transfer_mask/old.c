#include <stdio.h>

int main(void) {
  unsigned x, mask;
  if (fread(&x, sizeof x, 1, stdin) != 1 || fread(&mask, sizeof mask, 1, stdin) != 1)
    return 2;
  unsigned y = x ^ 0x00100000;
  fwrite(&(unsigned){y & mask}, 4, 1, stdout);
  return 0;
}
