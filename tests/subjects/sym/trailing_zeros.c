// The number of trailing zeros is an expression.
// args: a
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  unsigned c = (unsigned char)argv[1][0] | 64;
  if (__builtin_ctz(c) == 5) //~ symbolic
    puts("five");
  else
    puts("other");
  return 0;
}
