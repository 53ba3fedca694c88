// A difference of two bytes is shifted to the left: it may be negative.
//
// test: printf 'ba' | ./subject
// breaks: printf 'ab' | ./subject
#include <stdio.h>

int main(void) {
  int from = getchar(), to = getchar();
  if (from == EOF || to == EOF)
    return 1;
  int offset = (from - to) << 4; //~ shift-base, distance 0, bytes 1
  printf("%d\n", offset);
  return 0;
}
