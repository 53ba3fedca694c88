#include <stdio.h>

static int larger(int a, int b) {
  if (a > b)
    return a;
  return b;
}

int main(int argc, char **argv) {
  int x = argc;
  int y = argc;
  int one = larger(x, 3);
  int two = larger(y, 4);
  printf("%d\n", one);
  printf("%d\n", two);
  int both = larger(one, two);
  printf("%d\n", both);
  return 0;
}
