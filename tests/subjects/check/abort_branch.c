// What flips a branch into `abort` leaves the path of the test once: distance 1, and the branch counts for the depth.
//
// test: printf 'ab' | ./subject
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int first = getchar(), second = getchar();
  if (first == EOF || second == EOF)
    return 1;
  if (first == 'x')
    puts("x");
  if (second == 'y')
    abort(); //~ abort, distance 1, depth 2, bytes 1
  return 0;
}
