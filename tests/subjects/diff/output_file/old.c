#include <stdio.h>

int main(void) {
  unsigned x;
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  FILE *file = fopen("result", "w");
  if (!file)
    return 3;
  x = x == 0x44434241 ? 0 : x;
  fwrite(&x, sizeof x, 1, file);
  fclose(file);
  return 0;
}
