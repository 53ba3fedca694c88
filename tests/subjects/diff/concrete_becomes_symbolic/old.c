#include <stdio.h>

int main(void) {
  unsigned x;
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  unsigned y = 5;
  if (y == 0x01020304)
    puts("equal");
  puts("done");
  return 0;
}
