#include <stdio.h>

int main(void) {
  unsigned x;
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  return (x >> 9 & 1) + (x >> 20 & 2);
}
