#include <stdio.h>

static unsigned scale(unsigned x) {
  return x / 3;
}

int main(void) {
  unsigned char in[4];
  if (fread(in, sizeof in, 1, stdin) != 1)
    return 2;
  unsigned value = scale(in[0] << 8 | in[1]);
  if (in[2] == 0x9d)
    if (in[3] == 0x3b)
      printf("%u\n", value);
  puts("done");
  return 0;
}
