#include <stdio.h>

int main(void) {
  unsigned x;
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  if (x == 0xdeadbeef)
    return 3;
  puts("done");
  return 0;
}
