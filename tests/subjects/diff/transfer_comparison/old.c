#include <stdio.h>

int main(void) {
  unsigned x;
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  int less = x < 0x40506070;
  putchar('0' + less);
  return 0;
}
