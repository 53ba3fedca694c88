// A division in a function that is called twice: the second call fails only if the first one did not.
// explore: --sym-stdin 3
// finds: integer-divide-by-zero abort
#include <stdlib.h>
#include <unistd.h>

__attribute__((noinline)) static int ratio(int a, int b) {
  return a / b; //~ integer-divide-by-zero
}

int main(void) {
  unsigned char b[3] = {0};
  if (read(0, b, sizeof b) != sizeof b)
    return 1;
  int first = ratio(100, b[0]);
  int second = ratio(first, b[1] - 5);
  if (second == 7 && b[2] == 'X')
    abort(); //~ abort
  return 0;
}
