// Two remainders, one behind the other: the way to the end leads past both.
// explore: --sym-stdin 4
// finds: integer-divide-by-zero integer-divide-by-zero abort
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  unsigned short b[2] = {0};
  if (read(0, b, sizeof b) != sizeof b)
    return 1;
  int first = 1000 % b[0];        //~ integer-divide-by-zero
  int second = 7 % (b[1] - b[0]); //~ integer-divide-by-zero
  if (first == 13 && second == 3)
    abort(); //~ abort
  return 0;
}
