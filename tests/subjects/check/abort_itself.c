// A test that gives up does so on its own path: distance 0.
//
// test: printf 'q' | ./subject || true
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int command = getchar();
  if (command == 'q')
    abort(); //~ abort, distance 0, depth 1, bytes 0
  return 0;
}
