// Signed arithmetic that may overflow is an event, unless its operands are too small for that.
// args: 12
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  int n = 0;
  for (const char *s = argv[1]; *s >= '0' && *s <= '9'; s++) //~ symbolic
    n = n * 10 + (*s - '0');
  int digit = argv[1][0] - '0';   //~ no overflow
  unsigned sum = n + 4000000000u; //~ no overflow
  short small = (short)n;
  int square = small * small; //~ no overflow
  int more = n + 2147483600;  //~ overflow
  int less = -7 - more;       //~ overflow
  int opposite = -more;       //~ overflow
  long product = (long)n * n; //~ no overflow
  product *= product;         //~ overflow
  if (digit + square + less + opposite + (int)product == (int)sum) //~ symbolic, overflow
    puts("equal");
  else
    puts("other");
  return 0;
}
