// A one is shifted to a bit that the input names, which is checked to be one of the 32 that there are: the last is the sign.
//
// test: printf 'c' | ./subject
// breaks: printf '\200' | ./subject
#include <stdio.h>

int main(void) {
  int bit = getchar() - 'a';
  if (bit < 0 || bit > 31)
    return 1;
  int mask = 1 << bit; //~ shift-base, distance 0, bytes 1
  printf("%d\n", mask);
  return 0;
}
