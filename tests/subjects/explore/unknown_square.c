// A square that must end in given bits: hard for the first limit of a query, easy with more.
// Needed: the effort of the solver grows until the budget is used up.
// explore: --sym-stdin 4 --query-timeout 0.002 --time 60 --solver false
// exits: 0 1 2
#include <stdint.h>
#include <unistd.h>

int main(void) {
  unsigned char b[4];
  if (read(0, b, sizeof b) != sizeof b)
    return 0;
  uint32_t x = b[0] | b[1] << 8 | b[2] << 16 | (uint32_t)b[3] << 24;
  if (x > 70000 && x * x == 0x9a4f6e21u)
    return 1;
  return 2;
}
