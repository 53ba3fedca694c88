#include <stdio.h>

int main(void) {
  int x, y;
  if (fread(&x, sizeof x, 1, stdin) != 1 || fread(&y, sizeof y, 1, stdin) != 1)
    return 2;
  int large = 0;
  if (x > 200)
    large++;
  if (x < 100 && y == 0x600df00d)
    puts("small and good");
  printf("%d\n", large);
  return 0;
}
