// Two products and their sum on one line can each overflow.
//
// check: --checks all
// test: printf '\001\000\000\000\002\000\000\000' | ./subject
#include <stdio.h>

int main(void) {
  int n[2];
  if (fread(n, 1, sizeof n, stdin) != sizeof n)
    return 1;
  printf("%d\n", n[0] * 3 - n[1] * 5); //~ signed-integer-overflow, column 23, distance 0; signed-integer-overflow, column 34, distance 0; signed-integer-overflow, column 27, distance 0
  return 0;
}
