// An assertion that fails on one of many values.
// explore: --sym-stdin 4
// finds: assertion-failure signed-integer-overflow
#include <assert.h>
#include <unistd.h>

int main(void) {
  int number = 0;
  if (read(0, &number, sizeof number) != sizeof number)
    return 1;
  assert(number * 3 != 3003); //~ assertion-failure
  return 0;
}
