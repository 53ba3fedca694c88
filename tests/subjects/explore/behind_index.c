// The first input reads far outside of an object and crashes; the way on leads through the object.
// explore: --sym-stdin 3
// finds: SEGV abort
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  unsigned char b[3] = {0};
  if (read(0, b, sizeof b) != sizeof b)
    return 1;
  char *block = calloc(4, 1);
  long index = (long)(b[0] - 100) << 40;
  char c = block[index]; //~ SEGV
  if (c == 0 && b[2] == 'X')
    abort(); //~ abort
  return 0;
}
