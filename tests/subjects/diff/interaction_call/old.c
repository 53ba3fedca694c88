#include <stdio.h>

static int weight(int letter) {
  if (letter == 'x')
    return 10;
  return 1;
}

static int is_heavy(int one, int other) {
  if (one > 5 && other > 5)
    return one + other > 22;
  return 0;
}

int main(void) {
  char in[8];
  if (fread(in, sizeof in, 1, stdin) != 1)
    return 2;
  int heavy = 0;
  if (in[0] == 'h')
    heavy = is_heavy(weight(in[3]), weight(in[6]));
  printf("%d\n", heavy);
  return 0;
}
