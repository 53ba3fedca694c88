// The number of leading zeros is an expression.
// args: a
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  unsigned c = (unsigned char)argv[1][0] | 1;
  if (__builtin_clz(c) == 26) //~ symbolic
    puts("26");
  else
    puts("other");
  return 0;
}
