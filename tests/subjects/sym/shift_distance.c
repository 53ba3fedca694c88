// A symbolic distance of a shift is an event; what is shifted may be symbolic without one.
// args: 3
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 1;

  int distance = argv[1][0] - '0';
  int left = 1 << distance;                     //~ shift
  unsigned long right = 0xf0UL >> argv[1][0] / 8; //~ shift
  int shifted = argv[1][0] << 2;                //~ no shift
  if (left == 8 && right == 3 && shifted == 204) //~ symbolic
    puts("as expected");
  return 0;
}
