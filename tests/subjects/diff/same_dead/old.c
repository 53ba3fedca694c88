#include <stdio.h>

int main(void) {
  unsigned x;
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  volatile unsigned unused = x + 1;
  (void)unused;
  puts("done");
  return 0;
}
