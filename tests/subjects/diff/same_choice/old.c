#include <stdio.h>

int main(void) {
  int x, largest;
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  if (x > 77)
    largest = x;
  else
    largest = 77;
  printf("%d\n", largest);
  return 0;
}
