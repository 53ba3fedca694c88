// A function that calls itself: behind its return comes what is behind any of its calls. What the decision decides about depends on
// the same changes as the decision.
// start -> n
#include <stdio.h>

static int sum(int n, int step) {
  if (n <= 0) //~ test: interaction -> again, output
    return 0;
  int rest = sum(n - step * 2, step); //~ again: change -> test
  return rest + n;
}

int main(int argc, char **argv) {
  int n = argc + 1; //~ n: change -> test
  int all = sum(n, 1);
  printf("%d\n", all);
  return 0;
}
