#include <stdio.h>

int main(void) {
  unsigned char in[4];
  if (fread(in, sizeof in, 1, stdin) != 1)
    return 2;
  int last = in[3] == 0x61 ? 0x61 : in[3] & 0x7f;
  putchar(last);
  return 0;
}
