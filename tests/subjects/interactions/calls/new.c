// What goes into a function at one call does not come out at another: only the last call brings the changes together.
// start -> x
#include <stdio.h>

static int larger(int a, int b) {
  if (a > b)
    return a;
  return b;
}

int main(int argc, char **argv) {
  int x = argc + 1; //~ x: change -> y
  int y = argc + 2; //~ y: change -> together, output
  int one = larger(x, 3);
  int two = larger(y, 4);
  printf("%d\n", one);
  printf("%d\n", two);
  int both = larger(one, two); //~ together: interaction -> output
  printf("%d\n", both);
  return 0;
}
