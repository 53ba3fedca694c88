// A store into an object that is too large for an expression: the index is taken for what it is, and other indices are tried.
// explore: --sym-stdin 4 --time 20
// exits: 1 2 3
// ends: time
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  unsigned index;
  unsigned char *block = calloc(1 << 20, 1);
  if (read(0, &index, sizeof index) != sizeof index)
    return 1;
  if (index >= 1 << 20)
    return 1;
  block[index] = 7;
  // What comes behind holds for one index only; this is another one.
  if (index == 777216)
    return 2;
  return 3;
}
