// The loop runs once more for one value of its bound.
// $ printf 'aaaa' | program
// diff: --first --time 60 --ignore sanitizers
// difference: output unclassified
#include <stdio.h>

int main(void) {
  unsigned char in[4];
  if (fread(in, sizeof in, 1, stdin) != 1)
    return 2;
  int count = 0;
  for (int i = 0; i < in[0] % 8; i++) //~ shown
    count += in[1] == 0xab;
  printf("%d\n", count);
  return 0;
}
