// A product of two numbers that must be one constant is hard at first and is asked again with more time.
// Needed: a query that is given up is kept, and asked with four times the time when nothing else is left.
// explore: --sym-stdin 6 --query-timeout 0.005 --time 60 --solver false
// exits: 0 1 2
#include <stdint.h>
#include <unistd.h>

int main(void) {
  unsigned char b[6];
  if (read(0, b, sizeof b) != sizeof b)
    return 0;
  uint64_t x = b[0] | b[1] << 8 | (uint64_t)b[2] << 16, y = b[3] | b[4] << 8 | (uint64_t)b[5] << 16;
  if (x > 1000 && y > 1000 && x * y == 1009ull * 10007 * 3)
    return 1;
  return 2;
}
