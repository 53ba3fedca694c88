#include <stdio.h>

int main(void) {
  unsigned a, b;
  if (fread(&a, sizeof a, 1, stdin) != 1 || fread(&b, sizeof b, 1, stdin) != 1)
    return 2;
  if (a == 0x31415926)
    if (b == 0x27182818)
      puts("both");
  puts("done");
  return 0;
}
