// A file says how large its blocks are, by the logarithm of it.
//
// test: printf '\011' | ./subject | grep -q 512
// breaks: printf '\051' | ./subject
#include <stdio.h>

int main(void) {
  int logarithm = getchar();
  if (logarithm == EOF)
    return 1;
  unsigned size = 1u << logarithm; //~ shift-exponent, distance 0, bytes 1
  printf("blocks of %u bytes\n", size);
  return 0;
}
