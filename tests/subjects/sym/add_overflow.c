// Whether a sum overflows is an expression.
// args: a
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  unsigned char sum;
  if (__builtin_add_overflow((unsigned char)argv[1][0], (unsigned char)150, &sum)) //~ symbolic
    puts("overflow");
  else
    puts("sum");
  return 0;
}
