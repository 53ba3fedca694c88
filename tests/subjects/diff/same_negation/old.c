#include <stdio.h>

int main(void) {
  unsigned char in[4];
  if (fread(in, sizeof in, 1, stdin) != 1)
    return 2;
  if (!(in[0] == 'x' || in[1] == 'y'))
    puts("neither");
  return 0;
}
