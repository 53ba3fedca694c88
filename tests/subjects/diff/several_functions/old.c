#include <stdio.h>

static int is_high(unsigned x) {
  return x > 0x6fffffff;
}

static int weight(unsigned x, unsigned y) {
  return is_high(x) ? (y & 0xff) == 0x99 : 0;
}

int main(void) {
  unsigned in[2];
  if (fread(in, sizeof in, 1, stdin) != 1)
    return 2;
  int w = weight(in[0], in[1]);
  puts("done");
  if (w && in[1] >> 24 == 0x42)
    return 7;
  return 0;
}
