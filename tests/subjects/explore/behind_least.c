// The least number divided by -1 traps as zero does. The first input is exactly that.
// explore: --checks all
// args: \x80
// finds: signed-integer-overflow abort
#include <limits.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc != 2)
    return 1;
  int number = (int)((unsigned)(unsigned char)argv[1][0] << 24);
  int q = number / -1; //~ signed-integer-overflow
  if (q == -(1 << 24))
    abort(); //~ abort
  return 0;
}
