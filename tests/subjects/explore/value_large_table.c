// A read from a table that is too large for an expression, and that changes: other elements are other values of the address.
// explore: --sym-stdin 2
// exits: 1 2 3
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  unsigned short which;
  unsigned char *table = calloc(1 << 20, 1);
  if (read(0, &which, sizeof which) != sizeof which)
    return 1;
  table[5001] = 1;
  which %= 3;
  if (table[which * 5000 + 1] == 1)
    return 2;
  return 3;
}
