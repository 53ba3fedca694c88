// What was not asked for is not looked for: the division is, the index is not.
// explore: --sym-stdin 2 --checks division
// finds: integer-divide-by-zero
#include <unistd.h>

static const unsigned char squares[8] = {0, 1, 4, 9, 16, 25, 36, 49};

int main(void) {
  unsigned char c[2];
  if (read(0, c, 2) != 2)
    return 1;
  int square = squares[c[0] & 15];
  return square / (c[1] - 77); //~ integer-divide-by-zero
}
