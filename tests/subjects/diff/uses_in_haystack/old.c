#include <stdio.h>

static unsigned char in[206];

static unsigned count(void) {
  unsigned sum = 0;
  for (int i = 0; i < 200; i++)
    if (in[i] < 50)
      sum += 1;
    else if (in[i] < 100)
      sum += 2;
    else if (in[i] == 200)
      sum += 3;
  return sum;
}

int main(void) {
  if (fread(in, sizeof in, 1, stdin) != 1)
    return 2;
  unsigned value = in[205] / 5;
  unsigned sum = count();
  if (in[200] == 0x11)
    if (in[201] == 0x22)
      if (in[202] == 0x33)
        printf("%u\n", value);
  printf("%u\n", sum);
  return 0;
}
