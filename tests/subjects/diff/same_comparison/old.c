#include <stdio.h>

int main(void) {
  unsigned x;
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  puts(x < 1000 ? "small" : "large");
  return 0;
}
