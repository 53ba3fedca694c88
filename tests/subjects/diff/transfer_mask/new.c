// The effect is masked by what the test leaves 0.
// $ printf 'aaaa\000\000\000\000' | program
// diff: --first --time 60 --ignore sanitizers
// difference: output unclassified
#include <stdio.h>

int main(void) {
  unsigned x, mask;
  if (fread(&x, sizeof x, 1, stdin) != 1 || fread(&mask, sizeof mask, 1, stdin) != 1)
    return 2;
  unsigned y = x ^ 0x00200000; //~ shown
  fwrite(&(unsigned){y & mask}, 4, 1, stdout);
  return 0;
}
