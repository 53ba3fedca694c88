#include <stdio.h>

int main(void) {
  int x, y, o;
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  if (x > 0) {
    y = 3;
    if (x - y > 0)
      o = y;
    else
      o = 0;
  } else {
    o = -1;
  }
  if (x > 20)
    o = 10;
  printf("%d\n", o);
  return 0;
}
