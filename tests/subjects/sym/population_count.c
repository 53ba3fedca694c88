// The number of bits that are set is an expression.
// args: a
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  if (__builtin_popcount((unsigned char)argv[1][0]) == 7) //~ symbolic
    puts("seven");
  else
    puts("other");
  return 0;
}
