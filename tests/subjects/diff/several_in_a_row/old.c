#include <stdio.h>

int main(void) {
  unsigned in[3];
  if (fread(in, sizeof in, 1, stdin) != 1)
    return 2;
  unsigned y = in[0] & 0xff00;
  unsigned z = 0;
  if (y > 0x9000)
    z = in[1] >> 16;
  if (z == 0x1234)
    if ((in[2] & 0xff) == 0xa5)
      puts("through");
  puts("done");
  return 0;
}
