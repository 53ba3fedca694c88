#include <stdio.h>

int main(void) {
  int c = getchar();
  if (c < 0)
    return 2;
  printf("%d\n", (c & 3) * (c & 3));
  return 0;
}
