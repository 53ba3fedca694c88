// The first run divides by zero, and nothing before that depends on the input: the path goes on behind the division, where it succeeds.
// explore: --sym-stdin 2
// finds: integer-divide-by-zero abort
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  unsigned char b[2] = {0};
  if (read(0, b, sizeof b) != sizeof b)
    return 1;
  int q = 1000 / b[0]; //~ integer-divide-by-zero
  if (b[1] == 'X')
    abort(); //~ abort
  return q > 500;
}
