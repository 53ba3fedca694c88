// A switch is one branch with many sides: the operation behind it is at distance 1, whichever case leads to it.
//
// test: printf 'a' | ./subject
// breaks: printf 'd' | ./subject
#include <stdio.h>

static int table[4];

int main(void) {
  int index;
  switch (getchar()) {
  case 'a':
    index = 0;
    break;
  case 'b':
    index = 1;
    break;
  case 'd':
    index = 4;
    break;
  default:
    index = 2;
  }
  table[index] = 1; //~ bounds, distance 1, depth 1, bytes 1
  return 0;
}
