#include <stdio.h>

static unsigned table[8];

int main(void) {
  unsigned in[2];
  if (fread(in, sizeof in, 1, stdin) != 1)
    return 2;
  table[3] = in[0] | 1;
  if (in[1] == 0x51525354)
    fwrite(&table[3], 4, 1, stdout);
  puts("done");
  return 0;
}
