// Two branches are hard, each on its own bytes: both are asked again.
// Needed: all sides that were given up are kept, not only the last one.
// explore: --sym-stdin 12 --query-timeout 0.005 --time 60 --solver false
// exits: 0 1 2 3 4
#include <stdint.h>
#include <unistd.h>

static uint64_t product(const unsigned char *b) {
  uint64_t x = b[0] | b[1] << 8 | (uint64_t)b[2] << 16, y = b[3] | b[4] << 8 | (uint64_t)b[5] << 16;
  return x > 1000 && y > 1000 ? x * y : 0;
}

int main(void) {
  unsigned char b[12];
  if (read(0, b, sizeof b) != sizeof b)
    return 4;
  if (product(b) == 1009ull * 10007 * 3) {
    if (product(b + 6) == 2003ull * 20011 * 3)
      return 3;
    return 1;
  }
  if (product(b + 6) == 2003ull * 20011 * 3)
    return 2;
  return 0;
}
