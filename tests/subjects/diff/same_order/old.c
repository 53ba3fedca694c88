#include <stdio.h>

int main(void) {
  unsigned in[2];
  if (fread(in, sizeof in, 1, stdin) != 1)
    return 2;
  printf("%u\n", in[0] + in[1] + 3);
  return 0;
}
