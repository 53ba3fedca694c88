#include <stdio.h>

static void show(unsigned x) {
  if (x > 5) {
    printf("%u\n", x / 2);
  }
}

int main(void) {
  unsigned x;
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  show(x);
  return 0;
}
