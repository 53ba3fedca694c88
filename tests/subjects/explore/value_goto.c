// A computed goto: each label is another value of the address.
// explore: --sym-stdin 2
// exits: 1 2 3 4 5
#include <unistd.h>

int main(void) {
  static void *labels[4] = {&&first, &&second, &&third, &&fourth};
  unsigned char which[2];
  if (read(0, which, 2) != 2)
    return 1;
  goto *labels[which[0] & 3];
first:
  return 2;
second:
  if (which[1] == 'x')
    return 3;
  return 2;
third:
  return 4;
fourth:
  if (which[1] == 'y')
    return 5;
  return 2;
}
