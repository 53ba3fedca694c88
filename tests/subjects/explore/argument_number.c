// A number of two digits in an argument: what follows the digits is the end of the argument, not a byte of its own.
// Needed: the branches of a conversion, and answers whose bytes behind the end are none.
// explore: --sym-arg 2
// exits: 0 1 2
#include <stdlib.h>

int main(int count, char **arguments) {
  if (count < 2)
    return 0;
  int number = atoi(arguments[1]);
  if (number == 42)
    return 2;
  if (number > 42)
    return 1;
  return 0;
}
