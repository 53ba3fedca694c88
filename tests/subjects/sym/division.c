// A symbolic divisor is an event, and a quotient an expression.
// args: 4
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  int by = argv[1][0] - '0';
  if (by == 0) //~ symbolic
    return 1;
  int quotient = 84 / by; //~ division
  if (quotient == 42) //~ symbolic
    puts("42");
  else
    puts("other");
  return 0;
}
