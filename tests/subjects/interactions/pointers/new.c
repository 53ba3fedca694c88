// A write through a pointer may have been to b, but what it wrote to a is overwritten.
// start -> write
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  int a = 1, b = 2, c = 3;
  int *p = argc > 1 ? &a : &b;
  *p = 5; //~ write: change -> c, output
  a = argc;
  int first = b;
  printf("%d\n", first);
  c = argc + 1; //~ c: change -> both, output
  int last = a + c;
  printf("%d\n", last);
  int *q = &b;
  int both = *q + c; //~ both: interaction -> output
  printf("%d\n", both);
  return 0;
}
