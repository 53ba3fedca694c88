// The first input chooses a pointer that is null: other inputs get past it.
// explore: --sym-stdin 2
// finds: null abort
#include <stdlib.h>
#include <unistd.h>

static int one = 1, two = 2;
static int *const numbers[4] = {0, &one, 0, &two};

int main(void) {
  unsigned char b[2] = {0};
  if (read(0, b, sizeof b) != sizeof b)
    return 1;
  int number = *numbers[b[0] & 3]; //~ null
  if (number == 2 && b[1] == 'X')
    abort(); //~ abort
  return 0;
}
