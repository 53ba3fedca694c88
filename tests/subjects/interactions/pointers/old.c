#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  int a = 1, b = 2, c = 3;
  int *p = argc > 1 ? &a : &b;
  *p = 4;
  a = argc;
  int first = b;
  printf("%d\n", first);
  c = argc;
  int last = a + c;
  printf("%d\n", last);
  int *q = &b;
  int both = *q + c;
  printf("%d\n", both);
  return 0;
}
