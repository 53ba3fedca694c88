// Two divisions on one line can each be by zero: two findings.
//
// test: printf '\001\002\003\004' | ./subject
#include <stdio.h>

int main(void) {
  unsigned char n[4];
  if (fread(n, 1, sizeof n, stdin) != sizeof n)
    return 1;
  printf("%d\n", n[0] / (n[1] - n[2]) + n[0] / (n[2] - n[3])); //~ integer-divide-by-zero, column 23, distance 0, bytes 1; integer-divide-by-zero, column 46, distance 0, bytes 1
  return 0;
}
