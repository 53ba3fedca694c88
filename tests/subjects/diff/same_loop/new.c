// A loop that counts down.
// $ printf 'aaaa' | program
// diff: --time 4 --ignore sanitizers
#include <stdio.h>

int main(void) {
  unsigned char in[4];
  unsigned sum = 0;
  if (fread(in, sizeof in, 1, stdin) != 1)
    return 2;
  for (int i = 3; i >= 0; i--) //~ silent
    sum += in[i];
  printf("%u\n", sum);
  return 0;
}
