// What goes into a function at one call does not come out at another: only the last call brings the changes together. Inside of the
// function both do.
// start -> x
#include <stdio.h>
#include <stdlib.h>

static int larger(int a, int b) {
  if (a > b) //~ inside: interaction -> inside, together, output
    return a;
  return b;
}

int main(int argc, char **argv) {
  int x = atoi(argv[1]) + 1; //~ x: change -> y
  int y = atoi(argv[2]) + 2; //~ y: change -> inside
  int one = larger(x, 3);
  int two = larger(y, 4);
  printf("%d\n", one);
  printf("%d\n", two);
  int both = larger(one, two); //~ together: interaction -> inside
  printf("%d\n", both);
  return 0;
}
