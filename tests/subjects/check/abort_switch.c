// One of the cases of a switch gives up: distance 1.
//
// test: printf 'a' | ./subject
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  switch (getchar()) {
  case 'a':
    puts("first");
    break;
  case 'b':
    puts("second");
    break;
  case 'q':
    abort(); //~ abort, distance 1, depth 1, bytes 1
  default:
    return 1;
  }
  return 0;
}
