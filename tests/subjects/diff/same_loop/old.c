#include <stdio.h>

int main(void) {
  unsigned char in[4];
  unsigned sum = 0;
  if (fread(in, sizeof in, 1, stdin) != 1)
    return 2;
  for (int i = 0; i < 4; i++)
    sum += in[i];
  printf("%u\n", sum);
  return 0;
}
