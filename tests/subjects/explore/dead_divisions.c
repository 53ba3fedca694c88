// Two divisions whose results nobody uses: each traps for its own divisor, and one run succeeds at both.
// explore: --sym-stdin 2 --all-paths
// finds: integer-divide-by-zero integer-divide-by-zero
#include <unistd.h>

int main(void) {
  unsigned char divisors[2] = {1, 1};
  if (read(0, divisors, 2) != 2)
    return 1;
  int first = 15 / divisors[0]; //~ integer-divide-by-zero
  int second = 15 % divisors[1]; //~ integer-divide-by-zero
  return 0;
}
