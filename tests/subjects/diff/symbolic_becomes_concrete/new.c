// The new version prints a constant where the old one prints what it read.
// $ printf 'aaaa' | program
// diff: --first --time 60 --ignore sanitizers
// difference: output unclassified
#include <stdio.h>

int main(void) {
  unsigned char in[4];
  if (fread(in, sizeof in, 1, stdin) != 1)
    return 2;
  int last = 0x61; //~ shown
  putchar(last);
  return 0;
}
