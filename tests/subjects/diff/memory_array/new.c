// The effect is stored in an array and read back at another place of the program.
// $ printf 'aaaaaaaa' | program
// diff: --first --time 60 --ignore sanitizers
// difference: output unclassified
#include <stdio.h>

static unsigned table[8];

int main(void) {
  unsigned in[2];
  if (fread(in, sizeof in, 1, stdin) != 1)
    return 2;
  table[3] = in[0] | 3; //~ shown
  if (in[1] == 0x51525354)
    fwrite(&table[3], 4, 1, stdout);
  puts("done");
  return 0;
}
