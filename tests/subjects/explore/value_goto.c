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
  return which[1] == 'x' ? 3 : 2;
third:
  return 4;
fourth:
  return which[1] == 'y' ? 5 : 2;
}
