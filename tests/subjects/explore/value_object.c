// A pointer to one of several objects, chosen by the input: what is in each of them decides.
// explore: --sym-stdin 2
// exits: 0 1 7 8 9
#include <unistd.h>

static int small[1] = {7}, larger[3] = {0, 8, 0}, largest[5] = {0, 0, 0, 0, 9};
static int *const objects[3] = {small, larger, largest};
static const unsigned char sizes[3] = {1, 3, 5};

int main(void) {
  unsigned char c[2];
  if (read(0, c, 2) != 2)
    return 1;
  if (c[0] >= 3 || c[1] >= sizes[c[0]])
    return 1;
  int number = objects[c[0]][c[1]];
  switch (number) {
  case 7: return 7;
  case 8: return 8;
  case 9: return 9;
  default: return 0;
  }
}
