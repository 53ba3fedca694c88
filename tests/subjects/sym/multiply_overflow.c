// Whether a product overflows is an expression.
// args: abcd
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  int number, product;
  memcpy(&number, argv[1], sizeof number);
  if (__builtin_mul_overflow(number, 3, &product)) //~ symbolic
    puts("overflow");
  else
    puts("product");
  return 0;
}
