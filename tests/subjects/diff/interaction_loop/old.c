#include <stdio.h>

int main(void) {
  char in[8];
  if (fread(in, sizeof in, 1, stdin) != 1)
    return 2;
  int level = 0, high = 0;
  for (int i = 0; i < 8; i++) {
    if (in[i] == '+')
      level += 1;
    else if (in[i] == '?')
      high = level > 4;
    else
      level = 0;
  }
  puts(high ? "high" : "low");
  return 0;
}
