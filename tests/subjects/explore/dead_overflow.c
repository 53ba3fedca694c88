// Signed arithmetic and a shift whose results nobody uses: the sum does not fit, and the distance is too large.
// explore: --sym-stdin 2
// finds: signed-integer-overflow shift-exponent
#include <limits.h>
#include <unistd.h>

int main(void) {
  signed char c[2] = {0};
  if (read(0, c, 2) != 2)
    return 1;
  int sum = INT_MAX - 100 + c[0]; //~ signed-integer-overflow
  unsigned shifted = 1u << (c[1] & 63); //~ shift-exponent
  return 0;
}
