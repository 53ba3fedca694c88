// The effect is in a file that the program writes.
// $ printf 'aaaa' | program
// diff: --first --time 60 --ignore sanitizers
// difference: file unclassified
#include <stdio.h>

int main(void) {
  unsigned x;
  if (fread(&x, sizeof x, 1, stdin) != 1)
    return 2;
  FILE *file = fopen("result", "w");
  if (!file)
    return 3;
  x = x == 0x44434242 ? 0 : x; //~ shown
  fwrite(&x, sizeof x, 1, file);
  fclose(file);
  return 0;
}
