// A function that calls itself: behind its return comes what is behind any of its calls.
// start -> n
#include <stdio.h>
#include <stdlib.h>

static int sum(int n, int step) {
  if (n <= 0) //~ test: interaction -> again, last, output
    return 0;
  int rest = sum(n - step * 2, step); //~ again: change -> test
  return rest + n; //~ last: interaction -> last, output
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]) + 1; //~ n: change -> test
  int all = sum(n, 1);
  printf("%d\n", all);
  return 0;
}
