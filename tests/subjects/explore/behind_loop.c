// An operation that fails in a loop: each round gets past the one before.
// explore: --sym-stdin 3
// finds: integer-divide-by-zero abort
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  unsigned char b[3] = {0};
  if (read(0, b, sizeof b) != sizeof b)
    return 1;
  int sum = 0;
  for (int i = 0; i < 3; i++)
    sum += 12 / b[i]; //~ integer-divide-by-zero
  if (sum == 36)
    abort(); //~ abort
  return 0;
}
